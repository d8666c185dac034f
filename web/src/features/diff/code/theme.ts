/** Sorts what a grammar finds into the five hues of the design system. A colour here is the number of a hue. */
import type { ThemeRegistration } from "shiki/core";

/** Names of hues, as `--code-NAME`; the place in this list is the number. */
export const HUES = ["", "key", "str", "fn", "num", "note"] as const;

const SCOPES: Readonly<Record<Exclude<(typeof HUES)[number], "">, readonly string[]>> = {
  key: [
    "keyword",
    "storage",
    "variable.language",
    "entity.name.tag",
    "markup.heading",
    "constant.language",
    "support.type.builtin",
    "punctuation.definition.heading",
  ],
  str: ["string", "markup.inline.raw", "markup.fenced_code", "constant.character", "meta.embedded.string"],
  fn: [
    "entity.name.function",
    "support.function",
    "meta.function-call.generic",
    "entity.name.type",
    "entity.other.attribute-name",
    "support.type.property-name",
    "entity.name.section",
    "markup.underline.link",
  ],
  num: ["constant.numeric", "constant.other.color", "keyword.other.unit"],
  note: ["comment", "punctuation.definition.comment", "markup.quote"],
};

const colour = (hue: number) => `#00000${hue}`;

export const THEME: ThemeRegistration = {
  name: "tazuna",
  type: "light",
  fg: colour(0),
  bg: "#ffffff",
  settings: [
    { settings: { foreground: colour(0), background: "#ffffff" } },
    ...Object.entries(SCOPES).map(([name, scope]) => ({
      scope: [...scope],
      settings: { foreground: colour(HUES.indexOf(name as (typeof HUES)[number])) },
    })),
    {
      scope: ["keyword.operator", "storage.type.function.arrow", "punctuation", "meta.brace"],
      settings: { foreground: colour(0) },
    },
    {
      scope: [
        "keyword.operator.new",
        "keyword.operator.expression",
        "keyword.operator.logical.python",
        "keyword.operator.word",
      ],
      settings: { foreground: colour(1) },
    },
    { scope: ["punctuation.definition.string"], settings: { foreground: colour(2) } },
  ],
};

/** The number of the hue that a colour of the theme stands for. */
export const hueOf = (foreground: string | undefined): number => Number(foreground?.at(-1) ?? 0) || 0;
