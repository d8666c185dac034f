import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../src/utils/exec.ts";
import { tempDir } from "../helpers/temp-dir.ts";

/** Plain JavaScript, since it runs before any package is there. */
const { collectReasons } = await import(join(import.meta.dir, "../../scripts/reasons.mjs"));

const FAILING = `
import { expect, test } from "bun:test";
test("well", () => {});
test("odd", () => { expect(["a stray worktree"]).toEqual([]); });
test("late", () => { throw new Error("not at rest\\nstill two lines"); });
test("long", () => { expect(Array.from({ length: 500 }, (_, i) => "line " + i)).toEqual([]); });
`;

test("why tests of the real runner failed is picked out of its output, however that comes in pieces", async () => {
  await using folder = await tempDir();
  const file = join(folder.path, "failing.test.ts");
  await writeFile(file, FAILING);
  const run = await exec([process.execPath, "test", file], { cwd: folder.path, env: process.env });
  if (!run.started) throw new Error("the runner did not start");
  for (const size of [1, 7, 100_000]) {
    const reasons = collectReasons();
    for (const output of [run.stdout, run.stderr])
      for (let at = 0; at < output.length; at += size) reasons.take(output.slice(at, at + size), output);
    const [odd = "", late = "", long = "", ...more] = reasons.said();
    expect(odd).toMatch(
      /^error: expect\(received\)[\s\S]*\+ {3}"a stray worktree",[\s\S]*failing\.test\.ts:4:\d+\)$/,
    );
    expect(late).toMatch(/^error: not at rest\nstill two lines\n\s+at .*failing\.test\.ts:5:\d+\)$/);
    expect(long.split("\n").length).toBeLessThan(50);
    expect(long).toMatch(/failing\.test\.ts:6:\d+\)$/);
    expect(more).toEqual([]);
  }
});

test("what passes, and errors that name no place, are no reasons", () => {
  const reasons = collectReasons();
  reasons.take(
    "error: not_found: There is no such run.\n(pass) asked for what is not there [3ms]\n",
    "stderr",
  );
  expect(reasons.said()).toEqual([]);
});
