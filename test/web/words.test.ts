/** Holds the wording rules of the catalogs: one word for one thing in both languages, and real apostrophes. */
import { describe, expect, test } from "bun:test";
import { ENGINE_CATALOGS } from "../../web/src/i18n/engine/engine-catalogs.ts";
import { QUESTION_CATALOGS } from "../../web/src/i18n/engine/question-catalogs.ts";
import { FIRST_CATALOGS } from "../../web/src/i18n/first-catalogs.ts";
import { DECIDE_CATALOGS } from "../../web/src/i18n/ship/decide-catalogs.ts";
import { WORK_CATALOGS } from "../../web/src/i18n/work-catalogs.ts";

const CATALOGS = {
  ...FIRST_CATALOGS,
  ...WORK_CATALOGS,
  ...DECIDE_CATALOGS,
  ...ENGINE_CATALOGS,
  ...QUESTION_CATALOGS,
};

/** Every sentence of a language that has the pattern, with its key. */
const saying = (language: "en" | "ja", pattern: RegExp) =>
  Object.entries(CATALOGS).flatMap(([noun, catalog]) =>
    Object.entries<string>(catalog[language]).flatMap(([key, said]) =>
      pattern.test(said) ? [`${noun}.${key}: ${said}`] : [],
    ),
  );

describe("the words of the screens", () => {
  test("have real apostrophes and quotes, no exclamation mark, no praise", () => {
    expect(saying("en", /['"!]|successfully|please/i)).toEqual([]);
    expect(saying("ja", /['"!！]/)).toEqual([]);
  });

  test("name one thing by one word in Japanese", () => {
    expect(saying("ja", /(?<!公開)ゲート/)).toEqual([]);
    // This browser is a device in Settings too.
    expect(saying("ja", /端末/)).toEqual([]);
    // An attempt is cancelled; an operation is undone.
    expect(saying("ja", /取り消せる/)).toEqual([]);
    // A time and the word after it stand together.
    expect(saying("ja", /\}\} (?:前に|後に)/)).toEqual([]);
  });
});
