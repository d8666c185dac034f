import { expect, test } from "bun:test";
import { findFiles } from "../../../src/domain/repository/find-files.ts";

test("names that begin so come first, then names that hold it, then folders; shorter ones first, and no more than asked", () => {
  const paths = [
    "lib/run/x.ts",
    "src/a-run.ts",
    "src/runner.ts",
    "src/run.ts",
    "run/y.ts",
    "other.ts",
    "b/RUN.md",
  ];
  const found = ["b/RUN.md", "src/run.ts", "src/runner.ts", "src/a-run.ts", "run/y.ts", "lib/run/x.ts"];
  expect(findFiles(paths, { query: "Run", limit: 50 })).toEqual(found);
  for (const limit of [1, 2, 4])
    expect(findFiles(paths, { query: "run", limit })).toEqual(found.slice(0, limit));
});
