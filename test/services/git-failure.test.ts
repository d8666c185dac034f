import { expect, test } from "bun:test";
import { gitFailed } from "../../src/services/runs/git-failure.ts";

const remedy = (work: Parameters<typeof gitFailed>[0]) =>
  gitFailed(work, { kind: "timed_out", message: "git took longer than 120 s and was stopped" }).failure
    ?.remedy;

test("a change that git had no time for is told which setting gives it more, a remote that hangs is not", () => {
  for (const work of ["stage", "commit"] as const) expect(remedy(work)).toContain("`limits.git_s`");
  for (const work of ["fetch", "push"] as const) expect(remedy(work)).not.toContain("limits.git_s");
});
