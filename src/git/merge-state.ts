/** Says which operation a worktree is in the middle of, and ends it with every file kept. */
import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { readPlainFile } from "../utils/read-plain-file.ts";
import type { GitError } from "./git-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

export type OperationName = "merge" | "rebase" | "am" | "cherry-pick" | "revert" | "bisect";

export interface OperationInProgress {
  readonly name: OperationName;
  /** The commit of an autostash that git would put back at the end of a rebase; null where there is none. */
  readonly autostash: string | null;
}

/** The file or folder that each operation leaves while it goes on; a rebase hides the others. */
const MARKS: readonly (readonly [OperationName, string])[] = [
  ["rebase", "rebase-merge"],
  ["am", "rebase-apply/applying"],
  ["rebase", "rebase-apply"],
  ["merge", "MERGE_HEAD"],
  ["cherry-pick", "CHERRY_PICK_HEAD"],
  ["revert", "REVERT_HEAD"],
  ["cherry-pick", "sequencer"],
  ["bisect", "BISECT_LOG"],
];

/** The operation in progress, or null. */
export async function operationInProgress(
  git: Git,
  target: GitTarget,
): Promise<Result<OperationInProgress | null, GitError>> {
  const paths = await gitPaths(
    git,
    target,
    MARKS.map(([, mark]) => mark),
  );
  if (paths.isErr()) return err(paths.error);
  for (const [index, [name]] of MARKS.entries()) {
    const path = paths.value[index] ?? "";
    if (!(await exists(path))) continue;
    return ok({ name, autostash: name === "rebase" ? await readAutostash(path) : null });
  }
  return ok(null);
}

/**
 * Ends whatever is in progress; files and index stay as they are. HEAD may be left detached by a rebase: point it back
 * afterwards. An autostash is not put into the shared stash list: keep its commit if it matters. Returns what was ended.
 */
export async function clearOperation(
  git: Git,
  target: GitTarget,
): Promise<Result<readonly OperationInProgress[], GitError>> {
  const ended: OperationInProgress[] = [];
  // A rebase can stop inside a cherry-pick: each turn ends one, and there are no more kinds than marks.
  for (const _ of MARKS) {
    const found = await operationInProgress(git, target);
    if (found.isErr()) return err(found.error);
    if (found.value === null) break;
    const cleared = await end(git, target, found.value);
    if (cleared.isErr()) return err(cleared.error);
    ended.push(found.value);
  }
  return ok(ended);
}

async function end(
  git: Git,
  target: GitTarget,
  { name, autostash }: OperationInProgress,
): Promise<Result<unknown, GitError>> {
  switch (name) {
    case "merge":
    case "cherry-pick":
    case "revert":
    case "am":
      return git.run(target, [name, "--quit"]);
    case "rebase": {
      const dropped = autostash === null ? ok(undefined) : await dropAutostash(git, target);
      return dropped.isErr() ? dropped : git.run(target, ["rebase", "--quit"]);
    }
    case "bisect":
      return git.run(target, ["bisect", "reset", "HEAD"]);
  }
}

async function dropAutostash(git: Git, target: GitTarget): Promise<Result<unknown, GitError>> {
  const paths = await gitPaths(git, target, ["rebase-merge/autostash", "rebase-apply/autostash"]);
  if (paths.isErr()) return paths;
  await Promise.all(paths.value.map((path) => rm(path, { force: true })));
  return ok(undefined);
}

/** In bytes, with room for blanks around it. */
const LONGEST_ID = 1024;

async function readAutostash(path: string): Promise<string | null> {
  const text = readPlainFile(join(path, "autostash"), LONGEST_ID) ?? "";
  return text.trim() === "" ? null : text.trim();
}

async function gitPaths(
  git: Git,
  target: GitTarget,
  names: readonly string[],
): Promise<Result<readonly string[], GitError>> {
  const args = names.flatMap((name) => ["--git-path", name]);
  const asked = await git.run(target, ["rev-parse", "--path-format=absolute", ...args]);
  return asked.map(({ stdout }) => stdout.split("\n").slice(0, names.length));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
