/** Gives a worktree the files of a tree, unless that would overwrite ignored files, of which there is no copy. */
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok, safeTry } from "neverthrow";
import { lstatOrNull } from "../../utils/files/is-there.ts";
import { ANY_LINE_ENDS } from "../index/snapshot-index.ts";
import { resetMixed } from "../index/whole-index.ts";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import { fromNul } from "../process/nul-list.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

type PutTreeError =
  | GitError
  /** Ignored files, which no snapshot holds, are at paths of the tree. Nothing was changed. */
  | { readonly kind: "ignored_in_the_way"; readonly paths: readonly string[]; readonly message: string };

/**
 * Everything is staged first (`add -A`), so that git knows what to remove. Then follow `read-tree -u --reset TREE`
 * and `reset --mixed`: HEAD stays. The caller takes a snapshot first. Ignored files stay as they are.
 */
export async function putTree(
  git: Git,
  target: GitTarget & { readonly workTree: string },
  options: { readonly tree: string; readonly timeoutMs?: number },
): GitAnswer<void, PutTreeError> {
  return safeTry(async function* () {
    const { tree, ...limits } = options;
    yield* await git.run(target, ["add", "-A"], { lockRetries: 6, config: ANY_LINE_ENDS, ...limits });
    const paths = yield* await blockingPaths(git, target, tree);
    if (paths.length === 0) {
      yield* await git.run(target, ["read-tree", "-u", "--reset", tree], {
        access: "objects",
        lockRetries: 6,
        ...limits,
      });
    }
    yield* await resetMixed(git, target);
    const message = `ignored files lie where the tree has files: ${paths.slice(0, 5).join(", ")}`;
    return paths.length === 0 ? ok(undefined) : err({ kind: "ignored_in_the_way" as const, paths, message });
  });
}

/** Ignored files in the way: they lie at or above a path of the tree, and the index lacks them. */
export async function blockingPaths(
  git: Git,
  target: GitTarget & { readonly workTree: string },
  tree: string,
): GitAnswer<readonly string[]> {
  const lacking = [
    "diff",
    "--cached",
    "--name-only",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--diff-filter=D",
  ];
  const missing = await git.run(target, [...lacking, tree, "--"]);
  if (missing.isErr()) return err(missing.error);
  const index = await git.run(target, ["ls-files", "-z"]);
  if (index.isErr()) return err(index.error);
  const known = new Set(fromNul(index.value.stdout));
  const found = new Set<string>();
  for (const path of fromNul(missing.value.stdout)) {
    const blocking = await blockingPath(target.workTree, path, known);
    if (blocking !== null) found.add(blocking);
  }
  return ok([...found].sort());
}

/**
 * What a file at `path` would replace: a file above it, at its place, or in the folder there. Null if git knows all
 * of it.
 */
async function blockingPath(root: string, path: string, known: ReadonlySet<string>): Promise<string | null> {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const stats = await lstatOrNull(join(root, folder));
    if (stats !== null && !stats.isDirectory() && !known.has(folder)) return folder;
  }
  return blockingPathBelow(root, path, known);
}

/** A folder is replaced with everything in it, even ignored files. */
async function blockingPathBelow(
  root: string,
  path: string,
  known: ReadonlySet<string>,
): Promise<string | null> {
  const stats = await lstatOrNull(join(root, path));
  if (stats === null || known.has(path)) return null;
  if (!stats.isDirectory()) return path;
  for (const name of await readdir(join(root, path))) {
    const blocking = await blockingPathBelow(root, `${path}/${name}`, known);
    if (blocking !== null) return blocking;
  }
  return null;
}
