/** Does by hand, with plain git, what an orchestrator does for one run: the arm that everything is compared with. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Scratch } from "./scratch.ts";

export interface RawRun {
  readonly worktree: string;
  readonly branch: string;
}

/** `git fetch origin --prune`, then `git worktree add --no-track -b`. */
export function rawCreate(scratch: Scratch, name: string): RawRun {
  const run = { worktree: join(scratch.raw, name), branch: `raw/${name}` };
  scratch.git(scratch.clone, "fetch", "-q", "origin", "--prune");
  scratch.git(
    scratch.clone,
    "worktree",
    "add",
    "-q",
    "--no-track",
    "-b",
    run.branch,
    run.worktree,
    "origin/main",
  );
  return run;
}

/** Runs an agent in the worktree to its end, with `TAZUNA_RUN` as its name. */
export function rawAgent(
  scratch: Scratch,
  { worktree }: RawRun,
  of: { readonly agent: string; readonly name: string },
): void {
  Bun.spawnSync([of.agent], { cwd: worktree, env: { ...scratch.env, TAZUNA_RUN: of.name } });
}

/** `git add -A`, `git diff HEAD --cached`, `git commit`, `git push -u`. */
export function rawFinish(scratch: Scratch, { worktree, branch }: RawRun): void {
  scratch.git(worktree, "add", "-A");
  scratch.git(worktree, "diff", "HEAD", "--cached");
  scratch.git(worktree, "commit", "-q", "-m", "Make the edits of the benchmark");
  scratch.git(worktree, "push", "-q", "-u", "origin", branch);
}

/** `git worktree remove --force`, as the user would see it go. */
export function rawRemove(scratch: Scratch, { worktree }: RawRun): void {
  scratch.git(scratch.clone, "worktree", "remove", "--force", worktree);
}

/** Takes away what a measurement left on both sides, outside of the time that is measured. */
export async function rawForget(scratch: Scratch, { worktree, branch }: RawRun): Promise<void> {
  await rm(worktree, { recursive: true, force: true });
  scratch.git(scratch.clone, "worktree", "prune");
  scratch.git(scratch.clone, "branch", "-q", "-D", branch);
}
