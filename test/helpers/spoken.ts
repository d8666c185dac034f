/** Finds the words of a screen in the language of its browser, so that one journey is walked in each language. */
import { ENGINE_CATALOGS } from "../../web/src/i18n/engine/engine-catalogs.ts";
import { FIRST_CATALOGS } from "../../web/src/i18n/first-catalogs.ts";
import { DECIDE_CATALOGS } from "../../web/src/i18n/ship/decide-catalogs.ts";
import { WORK_CATALOGS } from "../../web/src/i18n/work-catalogs.ts";

export type Language = "en" | "ja";

/** The ways in which a flow is walked (design: flows, section 8). The deep tests draw one of them for each flow. */
export const LOOKS: readonly Look[] = [
  { language: "en", theme: "light", isCut: false, in: "in English and light" },
  { language: "ja", theme: "dark", isCut: true, in: "in Japanese and dark, while the server is killed" },
];

export interface Look {
  readonly language: Language;
  readonly theme: "light" | "dark";
  /** Whether the server is killed in the middle, and started again. */
  readonly isCut: boolean;
  /** For the title of the test. */
  readonly in: string;
}

/** `whole` matches just these words, or others that are given, `part` matches a text that holds them. */
export interface Spoken {
  whole(...english: readonly string[]): RegExp;
  part(...english: readonly string[]): RegExp;
}

/** English words as they are; for Japanese, what the catalogs say for them, values and all. */
export function spoken(language: Language): Spoken {
  const source = (english: readonly string[]) =>
    (language === "en" ? english : english.flatMap(inJapanese)).map(RegExp.escape).join("|");
  return {
    whole: (...english) => new RegExp(`^(?:${source(english)})$`),
    part: (...english) => new RegExp(source(english)),
  };
}

const ALL: readonly { readonly en: object; readonly ja: object }[] = Object.values({
  ...FIRST_CATALOGS,
  ...WORK_CATALOGS,
  ...DECIDE_CATALOGS,
  ...ENGINE_CATALOGS,
});

/** Several keys may have the same English words. Words of a person or of an agent stand in no catalog. */
function inJapanese(english: string): readonly string[] {
  const found = ALL.flatMap(({ en, ja }) =>
    Object.entries(en).flatMap(([key, template]) => {
      const values = valuesIn(String(template), english);
      const words = (ja as Record<string, string>)[key.replace(/_one$/, "_other")];
      return values === null || words === undefined ? [] : [{ values, words }];
    }),
  );
  if (found.length === 0) throw new Error(`no catalog says: ${english}`);
  const plain = found.filter(({ values }) => Object.keys(values).length === 0);
  const best = plain.length > 0 ? plain : found;
  return [...new Set(best.map(({ words, values }) => filled(words, values)))];
}

/** What stands in place of `{{name}}`, if the words are made of the template. */
function valuesIn(template: string, words: string): Readonly<Record<string, string>> | null {
  // Words of its own it has to have.
  if (!/\p{L}/u.test(template.replace(/\{\{\w+\}\}/g, ""))) return template === words ? {} : null;
  const parts = template.split(/\{\{(\w+)\}\}/);
  const source = parts.map((part, index) => (index % 2 === 1 ? "(.+)" : RegExp.escape(part))).join("");
  const match = new RegExp(`^${source}$`).exec(words);
  if (match === null) return null;
  const names = parts.filter((_, index) => index % 2 === 1);
  return Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? ""]));
}

/** What an act is called is words of a catalog itself: `Press again: Merge`. */
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    return name === "what" ? (inJapanese(value)[0] ?? value) : value;
  });
}
