/** Finds the promises that the titles of tests name, as `… (promise 1.3)` or `… (promises 2.1 and 4.4)` at their end. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

export interface PromiseTest {
  /** Below the project's folder, with forward slashes. */
  readonly file: string;
  /** Without the promise at its end. */
  readonly title: string;
  /** `1.3`. */
  readonly promise: string;
}

/** A text in quotes of one kind; whether it is a title is told by its end. */
const TITLE = /(["'`])((?:(?!\1)[^\n\\]|\\.)*) \(promises? (\d+\.\d+(?:(?:, | and )\d+\.\d+)*)\)\1/g;

const OF_DOCUMENTS = /^test\/(?:scripts|architecture)\/(?:docs|seeds|promises)\.test\.ts$/;
/** What is said of a seed, in front of a title and at its end (`seed-titles.ts`). */
const OF_SEEDS = /^seed \d{3} [^:]+: | \(departs: .*\)$/g;

export function promiseTests(root: string): readonly PromiseTest[] {
  return testFiles(root).flatMap((file) =>
    promisesIn(readFileSync(join(root, file), "utf8")).map((found) => ({ file, ...found })),
  );
}

/** Sorted, below the project's folder; without those of the documents, which hold titles that are none. */
export function testFiles(root: string): readonly string[] {
  return [...new Glob("test/**/*.test.ts").scanSync({ cwd: root })]
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !OF_DOCUMENTS.test(file))
    .sort();
}

/** What a template fills in is told as an ellipsis; why a test is skipped is not told at all (`test/helpers/need.ts`). */
export function filledIn(title: string): string {
  return title.replaceAll(/\$\{[A-Z_]+\.why\}/g, "").replaceAll(/\$\{[^}]*\}/g, "…");
}

export function promisesIn(text: string): readonly Omit<PromiseTest, "file">[] {
  return [...text.matchAll(TITLE)].flatMap(([, , title = "", promises = ""]) =>
    promises.split(/, | and /).map((promise) => ({
      title: filledIn(title.replaceAll(/\\(.)/g, "$1")).replaceAll(OF_SEEDS, ""),
      promise,
    })),
  );
}
