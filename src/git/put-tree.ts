/** Makes the files of a worktree those of a tree, and says before what that would overwrite without a copy. */
import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fromNul } from "./nul-list.ts";
import { resetMixed } from "./reset-mixed.ts";
import type { Git, GitTarget } from "./run-git.ts";

export type PutTreeError =
  | GitError
  /** Ignored files, which no snapshot holds, lie where the tree has files. Nothing was changed. */
  | { readonly kind: "ignored_in_the_way"; readonly paths: readonly string[]; readonly message: string };

/**
 * Everything is staged first (`add -A`), so that git knows what to take away; then `read-tree -u --reset TREE` and `reset --mixed`:
 * HEAD stays. Whoever asks has kept the working tree before. Ignored files stay as they are.
 */
export async function putTree(
  git: Git,
  target: GitTarget & { readonly workTree: string },
  options: { readonly tree: string; readonly timeoutMs?: number },
): Promise<Result<void, PutTreeError>> {
  const { tree, ...limits } = options;
  const staged = await git.run(target, ["add", "-A"], { lockRetries: 6, ...limits });
  if (staged.isErr()) return err(staged.error);
  const inTheWay = await findInTheWay(git, target, tree);
  if (inTheWay.isErr()) return err(inTheWay.error);
  const paths = inTheWay.value;
  if (paths.length === 0) {
    const put = await git.run(target, ["read-tree", "-u", "--reset", tree], {
      access: "objects",
      lockRetries: 6,
      ...limits,
    });
    if (put.isErr()) return err(put.error);
  }
  const reset = await resetMixed(git, target);
  if (reset.isErr()) return err(reset.error);
  const message = `ignored files lie where the tree has files: ${paths.slice(0, 5).join(", ")}`;
  return paths.length === 0 ? ok(undefined) : err({ kind: "ignored_in_the_way", paths, message });
}

/** Paths of the tree that the index lacks, though something lies there or on the way: git ignores it. */
async function findInTheWay(
  git: Git,
  target: GitTarget & { readonly workTree: string },
  tree: string,
): Promise<Result<readonly string[], GitError>> {
  const args = [
    "diff",
    "--cached",
    "--name-only",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--diff-filter=D",
    tree,
    "--",
  ];
  const missing = await git.run(target, args);
  if (missing.isErr()) return err(missing.error);
  const index = await git.run(target, ["ls-files", "-z"]);
  if (index.isErr()) return err(index.error);
  const known = new Set(fromNul(index.value.stdout));
  const found = new Set<string>();
  for (const path of fromNul(missing.value.stdout)) {
    const unknown = await unknownAt(target.workTree, path, known);
    if (unknown !== null) found.add(unknown);
  }
  return ok([...found].sort());
}

/** What would go for a file at `path`: something on its way, at its place, or in the folder there. Null where git knows it all. */
async function unknownAt(root: string, path: string, known: ReadonlySet<string>): Promise<string | null> {
  for (let way = dirname(path); way !== "."; way = dirname(way)) {
    const there = await lstat(join(root, way)).catch(() => null);
    if (there !== null && !there.isDirectory() && !known.has(way)) return way;
  }
  return unknownIn(root, path, known);
}

/** A folder gives way with everything in it, ignored files too. */
async function unknownIn(root: string, path: string, known: ReadonlySet<string>): Promise<string | null> {
  const there = await lstat(join(root, path)).catch(() => null);
  if (there === null || known.has(path)) return null;
  if (!there.isDirectory()) return path;
  for (const name of await readdir(join(root, path))) {
    const unknown = await unknownIn(root, `${path}/${name}`, known);
    if (unknown !== null) return unknown;
  }
  return null;
}
