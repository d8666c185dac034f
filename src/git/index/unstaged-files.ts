/** Lists worktree files that the index lacks or has differently, with the ids that `git add` would give. */
import { join } from "node:path";
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul, toNul } from "../process/nul-list.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { withScratch } from "../runner/scratch.ts";
import { copyIndex } from "./whole-index.ts";

interface FileState {
  /** Git's mode, such as 100644. */
  readonly mode: string;
  /** The blob. */
  readonly sha: string;
}

interface UnstagedFile {
  readonly path: string;
  /** As the index has it; null if it has none. */
  readonly was: FileState | null;
  /** As it is in the worktree; null if it is gone. */
  readonly now: FileState | null;
}

/**
 * `tree` is the index's own tree. No object is written: the files may be large, and perhaps none of them is kept.
 * Repositories and submodules in the worktree are skipped.
 */
export async function listUnstagedFiles(
  git: Git,
  target: GitTarget,
  { tree }: { readonly tree: string },
): GitAnswer<readonly UnstagedFile[]> {
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
    // Listed separately. If a link replaced a folder, git fails for the whole call when it meets a path below it.
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

const CHANGED = ["diff", "--name-only", "-z", "--no-renames", "--ignore-submodules=all", "--no-ext-diff"];

/**
 * Sorted paths whose content differs from the index or that are not in it. Ignored files are skipped, and so are
 * submodules (git would run in them).
 */
export async function listUnstaged(git: Git, target: GitTarget): GitAnswer<readonly string[]> {
  const changed = await listFields(git, target, CHANGED);
  if (changed.isErr()) return err(changed.error);
  const untracked = await listFields(git, target, ["ls-files", "--others", "--exclude-standard", "-z"]);
  return untracked.map((others) => [...changed.value, ...others].sort());
}

/** The index paths that are gone. This includes a folder that became a link to one with files of the same names. */
async function listGone(git: Git, target: GitTarget): GitAnswer<readonly string[]> {
  return listFields(git, target, [...CHANGED, "--diff-filter=D"]);
}
