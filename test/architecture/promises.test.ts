/** Keeps `docs/promises.md` true: each sentence of the promises has tests, and each test with a promise is listed. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROMISES } from "../../scripts/docs/promises.ts";
import { promisesIn, promiseTests } from "../../scripts/docs/test-titles.ts";
import { rowsOf } from "./markdown-files.ts";
import { ROOT } from "./source-files.ts";

const page = readFileSync(join(ROOT, "docs/promises.md"), "utf8");
const parts = page.split(/^## /m).slice(1);
const rows = rowsOf(page).map(({ line, cells: [id = "", sentence = "", tests = ""] }) => ({
  line,
  id,
  sentence,
  tests,
}));
const sentences = PROMISES.flatMap((promised, at) =>
  promised.sentences.map((sentence, below) => ({ ...sentence, id: `${at + 1}.${below + 1}` })),
);

/** The files of a cell, each with the titles that stand behind it. */
function namedTests(cell: string): readonly { readonly file: string; readonly titles: readonly string[] }[] {
  return cell.split(/; (?=`)/).map((part) => {
    const [, file = "", titles = ""] = /^`([^`]+)`: (.*)$/s.exec(part) ?? [];
    return { file, titles: [...titles.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "") };
  });
}

/** A template's text holds its backticks escaped. */
const titlesIn = (file: string) => readFileSync(join(ROOT, file), "utf8").replaceAll("\\`", "`");

/** What a template fills in is an ellipsis on the page. */
const stands = (title: string, text: string) => title.split("…").every((piece) => text.includes(piece));

describe("docs/promises.md", () => {
  test("has the seven promises, each with what holds it", () => {
    expect(parts.map((part) => part.slice(0, 2))).toEqual(["1.", "2.", "3.", "4.", "5.", "6.", "7."]);
    expect(PROMISES.filter(({ heldBy }) => heldBy.length === 0)).toEqual([]);
  });

  test("every sentence names tests, or says that there is nothing to try yet", () => {
    const untried = rows
      .filter(({ tests }) => !tests.startsWith("nothing to try yet"))
      .filter(({ tests }) =>
        namedTests(tests).some(({ file, titles }) => !/\.test\.ts$/.test(file) || titles.length === 0),
      );
    expect(untried).toEqual([]);
    expect(rows.map(({ id }) => id)).toEqual(sentences.map(({ id }) => id));
  });

  test("every test that it names is there", () => {
    const missing = rows
      .filter(({ tests }) => !tests.startsWith("nothing to try yet"))
      .flatMap(({ line, tests }) =>
        namedTests(tests).flatMap(({ file, titles }) => {
          if (!existsSync(join(ROOT, file))) return [`${line}: ${file}`];
          const text = titlesIn(file);
          return titles.filter((title) => !stands(title, text)).map((title) => `${line}: ${file}: ${title}`);
        }),
      );
    expect(missing).toEqual([]);
  });

  test("a title that names a sentence names one that waits for tests", () => {
    const waiting = sentences.flatMap(({ id, untried }) => (untried === undefined ? [id] : []));
    const lost = promiseTests(ROOT).filter(({ promise }) => !waiting.includes(promise));
    expect(lost).toEqual([]);
  });
});

describe("the reader of promises", () => {
  test("sees one promise or several at the end of a title, and no other text", () => {
    const text = [
      'test("one thing (promise 1.2)", () => {});',
      `test(\`a \\\`b\\\` at \${place} (promises 2.1, 3.1 and 4.4)\`, () => {});`,
      '// (promise 5.1) "a promise 6.1" (promise 7.1)',
      'test("seed 003 Phase 3 and Folders: another (departs: so) (promise 1.3)", () => {});',
    ].join("\n");
    expect(promisesIn(text)).toEqual([
      { title: "one thing", promise: "1.2" },
      { title: "a `b` at …", promise: "2.1" },
      { title: "a `b` at …", promise: "3.1" },
      { title: "a `b` at …", promise: "4.4" },
      { title: "another", promise: "1.3" },
    ]);
  });
});
