/** Holds that no look at a path which the system refuses is taken for "nothing is there". */
import { expect, test } from "bun:test";
import { sourceFiles } from "./source-files.ts";

/** `access(PATH).then(yes, no)` and the like; with a mode, `access` asks for a permission, and no is its answer. */
const TAKEN_FOR_GONE =
  /\b(?:access|lstat|stat)\([^,;]*?\)\s*\.then\(\s*\(\)\s*=>\s*true,\s*\(\)\s*=>\s*false/;

test("whether something is there is asked of `isThere`, which tells gone from not permitted", () => {
  const guilty = sourceFiles().filter(({ text }) => TAKEN_FOR_GONE.test(text));
  expect(guilty.map(({ path }) => path)).toEqual([]);
  expect("return access(path).then(\n    () => true,\n    () => false,\n  );").toMatch(TAKEN_FOR_GONE);
});
