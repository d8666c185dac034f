/** Tells how the files lie in a worktree that its index has otherwise, or not at all, by the ids that `git add` would give them. */
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { copyIndex } from "./copy-index.ts";
import type { GitError } from "./git-error.ts";
import { fromNul, toNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";
import { withScratch } from "./scratch.ts";
import { listGone, listUnstaged } from "./unstaged.ts";

export interface FileState {
  /** Git's mode, such as 100644. */
  readonly mode: string;
  /** The blob. */
  readonly sha: string;
}

export interface UnstagedFile {
  readonly path: string;
  /** As the index has it; null where it has none. */
  readonly was: FileState | null;
  /** As it lies there; null where it is gone. */
  readonly now: FileState | null;
}

/**
 * `tree` is the index's own. No object is written: what lies there may be large, and nobody has decided to keep it.
 * Repositories and submodules in the worktree are not looked at.
 */
export async function listUnstagedFiles(
  git: Git,
  target: GitTarget,
  { tree }: { readonly tree: string },
): Promise<Result<readonly UnstagedFile[], GitError>> {
  const paths = (await listUnstaged(git, target)).map((all) => all.filter((path) => !path.endsWith("/")));
  if (paths.isErr()) return err(paths.error);
  if (paths.value.length === 0) return ok([]);
  const gone = await listGone(git, target);
  if (gone.isErr()) return err(gone.error);
  return withScratch(git, "unstaged", async (folder) => {
    const extraEnv = { GIT_INDEX_FILE: join(folder, "index") };
    await copyIndex(target, extraEnv.GIT_INDEX_FILE);
    const update = (how: readonly string[], which: readonly string[]) =>
      git.run(target, ["update-index", ...how, "-z", "--stdin"], { stdin: toNul(which), extraEnv });
    // Named apart: below a link that took the place of a folder, git would not look for them and say no to all.
    const removed = await update(["--force-remove"], gone.value);
    if (removed.isErr()) return err(removed.error);
    const left = new Set(gone.value);
    const there = paths.value.filter((path) => !left.has(path));
    const updated = await update(["--add", "--remove", "--replace", "--info-only"], there);
    if (updated.isErr()) return err(updated.error);
    const compare = ["diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", tree, "--"];
    const compared = await git.run(target, compare, { extraEnv });
    return compared.map(({ stdout }) => parse(fromNul(stdout)));
  });
}

/** `:MODE MODE SHA SHA LETTER`, then the path. */
function parse(fields: readonly string[]): UnstagedFile[] {
  const files: UnstagedFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [wasMode = "", mode = "", wasSha = "", sha = ""] = (fields[at] ?? "").slice(1).split(" ");
    files.push({ path: fields[at + 1] ?? "", was: stateOf(wasMode, wasSha), now: stateOf(mode, sha) });
  }
  return files;
}

function stateOf(mode: string, sha: string): FileState | null {
  return mode === "000000" ? null : { mode, sha };
}
