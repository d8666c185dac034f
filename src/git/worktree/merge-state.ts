/** Names the operation that a worktree is in the middle of, and ends it with every file kept. */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok } from "neverthrow";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

type OperationName = "merge" | "rebase" | "am" | "cherry-pick" | "revert" | "bisect";

interface OperationInProgress {
  readonly name: OperationName;
  /** The commit of an autostash that git would restore at the end of a rebase or a merge; null if there is none. */
  readonly autostash: string | null;
}

/** The file or folder that exists while each operation goes on. A rebase comes first, since it may hold another. */
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
): GitAnswer<OperationInProgress | null> {
  const paths = await gitPaths(
    git,
    target,
    MARKS.map(([, mark]) => mark),
  );
  if (paths.isErr()) return err(paths.error);
  for (const [index, [name]] of MARKS.entries()) {
    const path = paths.value[index] ?? "";
    if (!(await isThere(path))) continue;
    return ok({ name, autostash: readAutostash(name, path) });
  }
  return ok(null);
}

/**
 * Ends the operation in progress; files and index stay as they are. HEAD may be left detached by a rebase: point it
 * back afterwards. An autostash is not put into the shared stash list: keep its commit if it matters. Returns what
 * was ended.
 */
export async function clearOperation(git: Git, target: GitTarget): GitAnswer<readonly OperationInProgress[]> {
  const ended: OperationInProgress[] = [];
  // A rebase can stop inside a cherry-pick. Each turn ends one operation, and there are only as many kinds as marks.
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

/** The next commit gets these as further parents, as in MERGE_HEAD. Files and index stay as they are. */
export async function beginMergeAgain(target: GitTarget, mergeHead: string): Promise<void> {
  // Git refuses to write this name as a reference.
  await writeFileAtomic(join(target.gitDir, "MERGE_HEAD"), `${mergeHead}\n`);
}

async function end(git: Git, target: GitTarget, { name }: OperationInProgress): GitAnswer<unknown> {
  switch (name) {
    case "merge":
    case "rebase": {
      const dropped = await dropAutostash(git, target);
      return dropped.isErr() ? dropped : git.run(target, [name, "--quit"]);
    }
    case "cherry-pick":
    case "revert":
    case "am":
      return git.run(target, [name, "--quit"]);
    case "bisect":
      return git.run(target, ["bisect", "reset", "HEAD"]);
  }
}

async function dropAutostash(git: Git, target: GitTarget): GitAnswer<unknown> {
  const names = ["rebase-merge/autostash", "rebase-apply/autostash", MERGE_AUTOSTASH];
  const paths = await gitPaths(git, target, names);
  if (paths.isErr()) return paths;
  await Promise.all(paths.value.map((path) => rm(path, { force: true })));
  return ok(undefined);
}

/** In bytes, with room for surrounding blanks. */
const MAX_ID_LENGTH = 1024;

const MERGE_AUTOSTASH = "MERGE_AUTOSTASH";

/** `mark` is the file or folder that exists while the operation goes on. */
function readAutostash(name: OperationName, mark: string): string | null {
  if (name !== "merge" && name !== "rebase") return null;
  const file = name === "merge" ? join(dirname(mark), MERGE_AUTOSTASH) : join(mark, "autostash");
  const text = (readPlainFile(file, MAX_ID_LENGTH) ?? "").trim();
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : null;
}

async function gitPaths(git: Git, target: GitTarget, names: readonly string[]): GitAnswer<readonly string[]> {
  const args = names.flatMap((name) => ["--git-path", name]);
  const asked = await git.run(target, ["rev-parse", "--path-format=absolute", ...args]);
  return asked.map(({ stdout }) => stdout.split("\n").slice(0, names.length));
}
