/** Runs the plain parallel sequence that a naive orchestrator runs, and says what it lost. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Scratch } from "./scratch.ts";

export interface PlainEnd {
  /** Its commit never reached the origin. */
  readonly lost: boolean;
  /** Its worktree could only be made at a second try. */
  readonly retried: boolean;
  /** `git worktree remove --force`. */
  remove(): Promise<unknown>;
  /** Takes away what is left of it, outside of the time that is measured. */
  forget(): Promise<void>;
}

/** fetch --prune, worktree add -b (tracking), agent, add -A, diff, commit, push -u; nothing keeps it apart from the others. */
export async function plainRun(
  scratch: Scratch,
  { name, agent }: { readonly name: string; readonly agent: string },
): Promise<PlainEnd> {
  const { clone, env } = scratch;
  const path = join(scratch.raw, name);
  const branch = `plain/${name}`;
  const run = async (cwd: string, argv: readonly string[]): Promise<boolean> => {
    const child = Bun.spawn([...argv], {
      cwd,
      env: { ...env, TAZUNA_RUN: name },
      stdout: "ignore",
      stderr: "ignore",
    });
    return (await child.exited) === 0;
  };
  const inClone = (...args: string[]) => run(clone, ["git", ...args]);
  const inside = (...args: string[]) => run(path, ["git", ...args]);
  await inClone("fetch", "-q", "origin", "--prune");
  const first = await inClone("worktree", "add", "-q", "-b", branch, path, "origin/main");
  const second = first || (await addAgain(inClone, { path, branch }));
  const pushed =
    second &&
    (await run(path, [agent])) &&
    (await inside("add", "-A")) &&
    (await inside("diff", "HEAD", "--cached")) &&
    (await inside("commit", "-q", "-m", "Make the edits of the benchmark")) &&
    (await inside("push", "-q", "-u", "origin", branch));
  return {
    lost: !pushed,
    retried: !first,
    remove: () => inClone("worktree", "remove", "--force", path),
    forget: async () => {
      await rm(path, { recursive: true, force: true });
      await inClone("worktree", "prune");
      await inClone("branch", "-q", "-D", branch);
    },
  };
}

async function addAgain(
  git: (...args: string[]) => Promise<boolean>,
  { path, branch }: { readonly path: string; readonly branch: string },
): Promise<boolean> {
  await git("worktree", "remove", "--force", path);
  await git("branch", "-q", "-D", branch);
  return git("worktree", "add", "-q", "--no-track", "-B", branch, path, "origin/main");
}
