import { expect, test } from "bun:test";
import { gitFailed } from "../../src/services/run-core/git-failure.ts";

const remedy = (work: Parameters<typeof gitFailed>[0]) =>
  gitFailed(work, { kind: "timed_out", message: "git took longer than 120 s and was stopped" }).failure
    ?.remedy;

test("a change without enough time is told which setting gives git more; a hanging remote is not", () => {
  for (const work of ["stage", "commit"] as const) expect(remedy(work)).toContain("{double limits.git_s}");
  for (const work of ["fetch", "push"] as const) expect(remedy(work)).not.toContain("limits.git_s");
});

test("a git that was killed is no lost worktree, no trouble of the network and no answer of the remote's", () => {
  const killed = { kind: "git_failed", signal: "SIGKILL", message: "git was ended by SIGKILL" };
  for (const work of ["fetch", "worktree", "stage", "commit", "push"] as const) {
    const { failure } = gitFailed(work, killed);
    expect(failure?.code).not.toBe("worktree_lost");
    expect(failure?.message).toBe(killed.message);
    expect(failure?.remedy).toStartWith("Something killed git");
  }
});
