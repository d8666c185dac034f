/** Looks for work in a worktree that no commit holds. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { listFields } from "./each-field.ts";
import type { GitError } from "./git-error.ts";
import { operationInProgress } from "./merge-state.ts";
import { readHead } from "./refs.ts";
import type { Git, GitTarget } from "./run-git.ts";
import { filledGitlinks } from "./submodule.ts";

export interface WorktreeWork {
  /** HEAD: its commit (null before the first one) and its branch (null while it is detached). */
  readonly head: { readonly sha: string | null; readonly branch: string | null };
  /** Changed, staged and untracked paths; ignored ones are not looked for. */
  readonly uncommitted: readonly string[];
  /** Tracked paths that git was told not to look at (`assume-unchanged`, `skip-worktree`) and that are there. */
  readonly unwatched: readonly string[];
  /** Submodules that were filled: git is not run in them, so whether they hold work is not known. */
  readonly submodules: readonly string[];
  /** Such as `merge`; null where git is in the middle of nothing. */
  readonly operation: string | null;
}

const STATUS = ["status", "--porcelain", "-z", "--untracked-files=normal", "--no-renames"];

export async function findWork(git: Git, target: GitTarget): Promise<Result<WorktreeWork, GitError>> {
  const head = await readHead(git, target);
  if (head.isErr()) return err(head.error);
  const operation = await operationInProgress(git, target);
  if (operation.isErr()) return err(operation.error);
  const status = await listFields(git, target, [...STATUS, "--ignore-submodules=all"]);
  if (status.isErr()) return err(status.error);
  const index = await listFields(git, target, ["ls-files", "-v", "--stage", "-z"], { keep: isSpecial });
  if (index.isErr()) return err(index.error);
  const entries = index.value.map(entryOf);
  const gitlinks = entries.filter(({ mode }) => mode === "160000").map(({ path }) => path);
  return ok({
    head: head.value,
    uncommitted: status.value.map((line) => line.slice(3)),
    unwatched: await thoseThere(
      target,
      entries.filter(({ tag }) => tag !== "H" && tag !== "M").map(({ path }) => path),
    ),
    submodules: await filledGitlinks(target, gitlinks),
    operation: operation.value?.name ?? null,
  });
}

/** A submodule, or what git was told not to look at. */
function isSpecial(line: string): boolean {
  return !/^[HM] (?!160000 )/.test(line);
}

/** `H 100644 SHA 0<tab>PATH`; the letter is small where changes of the file are assumed away, `S` where it is left out. */
function entryOf(line: string) {
  const tab = line.indexOf("\t");
  const [tag = "", mode = ""] = line.slice(0, tab).split(" ");
  return { tag, mode, path: line.slice(tab + 1) };
}

/** In a sparse worktree the paths that are left out are not there. */
async function thoseThere({ workTree }: GitTarget, paths: readonly string[]): Promise<readonly string[]> {
  const there: string[] = [];
  for (const path of paths)
    if ((await lstat(join(workTree ?? "", path)).catch(() => null)) !== null) there.push(path);
  return there;
}
