/** Lists the plain files below one folder of a commit, and finds the file at a path of a tree. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul } from "../process/nul-list.ts";
import { readRef } from "../refs/refs.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export interface FileInTree {
  /** Relative to the top of the tree. */
  readonly path: string;
  readonly sha: string;
  readonly size: number;
  readonly executable: boolean;
}

/** Null if there is no such commit. Links and submodules are left out, and names that only git's own files have. */
export async function listTreeFiles(
  git: Git,
  target: GitTarget,
  { revision, folder }: { readonly revision: string; readonly folder: string },
): GitAnswer<readonly FileInTree[] | null> {
  const commit = await readRef(git, target, `${revision}^{commit}`);
  if (commit.isErr() || commit.value === null) return commit.map(() => null);
  const args = ["ls-tree", "-r", "-z", "-l", "--full-tree", commit.value, "--", `${folder}/`];
  const listed = await git.run(target, args);
  if (listed.isErr()) return listed.map(() => null);
  return ok(fromNul(listed.value.stdout).flatMap(fileOf));
}

/** `MODE TYPE SHA SIZE`, a tab, the path. */
function fileOf(line: string): readonly FileInTree[] {
  const [, mode = "", sha = "", size = "", path = ""] =
    /^(\d{6}) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
  const isPlain = mode === "100644" || mode === "100755";
  if (!isPlain || path.split("/").some((part) => STRANGE.test(part))) return [];
  return [{ path, sha, size: Number(size), executable: mode === "100755" }];
}

const STRANGE = /^(?:|\.{1,2}|\.git)$/i;

/** The blob at exactly that path of a tree or commit, also of a link; null if no file is there. */
export async function blobAt(
  git: Git,
  target: GitTarget,
  { tree, path }: { readonly tree: string; readonly path: string },
): GitAnswer<string | null> {
  const args = ["ls-tree", "-z", "--full-tree", tree, "--", path];
  const listed = await git.run(target, args, {
    access: "objects",
    extraEnv: { GIT_LITERAL_PATHSPECS: "1" },
  });
  if (listed.isErr()) return err(listed.error);
  const [line = ""] = fromNul(listed.value.stdout);
  const [, sha = null, found] = /^\d{6} blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
  return ok(found === path ? sha : null);
}
