/** Finds the hooks that a commit in this repository would run. */
import { access, constants, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { commonDirOf } from "../process/locate-git-dir.ts";
import { fromNul } from "../process/nul-list.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

const COMMIT_HOOKS = ["pre-commit", "commit-msg"] as const;
export type CommitHook = (typeof COMMIT_HOOKS)[number];

interface HookFacts {
  /** Absolute path of the folder in which git would look. */
  readonly directory: string;
  /** The folder lies in the worktree, which an agent can write. */
  readonly inWorktree: boolean;
  readonly hooks: readonly { readonly name: CommitHook; readonly path: string }[];
}

/** The executable hooks among `pre-commit` and `commit-msg`. */
export async function findHooks(git: Git, target: GitTarget): GitAnswer<HookFacts> {
  const set = await hooksPath(git, target);
  if (set.isErr()) return err(set.error);
  const configured = set.value;
  const common = (await commonDirOf(target.gitDir)) ?? target.gitDir;
  const base = target.workTree ?? target.gitDir;
  const directory = configured === "" ? join(common, "hooks") : resolve(base, configured);
  const present = await Promise.all(
    COMMIT_HOOKS.map(async (name) => ({ name, path: join(directory, name) })),
  );
  const runnable = await Promise.all(
    present.map(async (hook) => ((await isExecutable(hook.path)) ? [hook] : [])),
  );
  return ok({ directory, inWorktree: await lies(directory, target.workTree), hooks: runnable.flat() });
}

/** `core.hooksPath` as the user set it; empty if it is not set. */
async function hooksPath(git: Git, target: GitTarget): GitAnswer<string> {
  const ask = (args: readonly string[]) => git.run(target, ["config", "--null", ...args], { expect: [0, 1] });
  // The last value switches hooks off for each of our calls. The one before it is the user's.
  const beforeOurs = ({ stdout }: { readonly stdout: string }) => fromNul(stdout).at(-2) ?? "";
  const set = await ask(["--get-regexp", "^core\\.hookspath$"]);
  if (set.isErr() || beforeOurs(set.value) === "") return set.map(beforeOurs);
  // Only git knows what a path with `~` means.
  return (await ask(["--type=path", "--get-all", "core.hooksPath"])).map(beforeOurs);
}

async function isExecutable(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => null);
  if (!file?.isFile()) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function lies(directory: string, workTree: string | null): Promise<boolean> {
  if (workTree === null) return false;
  const real = await realpath(directory).catch(() => directory);
  return real === workTree || real.startsWith(workTree + sep);
}
