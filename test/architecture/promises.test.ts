/** Keeps `docs/promises.md` true: each sentence of the seven promises names tests, and they are there. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rowsOf } from "./markdown-files.ts";
import { ROOT } from "./source-files.ts";

const page = readFileSync(join(ROOT, "docs/promises.md"), "utf8");
const promises = page.split(/^## /m).slice(1);
const rows = rowsOf(page).map(({ line, cells: [sentence = "", tests = ""] }) => ({ line, sentence, tests }));

/** The files of a cell, each with the titles that stand behind it. */
function namedTests(cell: string): readonly { readonly file: string; readonly titles: readonly string[] }[] {
  return cell.split(/; (?=`)/).map((part) => {
    const [, file = "", titles = ""] = /^`([^`]+)`: (.*)$/s.exec(part) ?? [];
    return { file, titles: [...titles.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "") };
  });
}

/** A template's text holds its backticks escaped. */
const titlesIn = (file: string) => readFileSync(join(ROOT, file), "utf8").replaceAll("\\`", "`");

describe("docs/promises.md", () => {
  test("has the seven promises", () => {
    expect(promises.map((part) => part.slice(0, 2))).toEqual(["1.", "2.", "3.", "4.", "5.", "6.", "7."]);
  });

  test("every sentence names tests, or says that there is nothing to try yet", () => {
    const untried = rows
      .filter(({ tests }) => !tests.startsWith("nothing to try yet"))
      .filter(({ tests }) =>
        namedTests(tests).some(({ file, titles }) => !/\.test\.ts$/.test(file) || titles.length === 0),
      );
    expect(untried).toEqual([]);
  });

  test("every test that it names is there", () => {
    const missing = rows
      .filter(({ tests }) => !tests.startsWith("nothing to try yet"))
      .flatMap(({ line, tests }) =>
        namedTests(tests).flatMap(({ file, titles }) => {
          if (!existsSync(join(ROOT, file))) return [`${line}: ${file}`];
          const text = titlesIn(file);
          return titles.filter((title) => !text.includes(title)).map((title) => `${line}: ${file}: ${title}`);
        }),
      );
    expect(missing).toEqual([]);
  });
});
