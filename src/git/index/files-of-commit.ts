/** Lists and reads files of a commit, without a worktree. */
import { ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

/** The plain files that lie directly in the top folder or in one of these folders, by their path. */
export async function filesIn(
  git: Git,
  target: GitTarget,
  { commit, folders }: { readonly commit: string; readonly folders: readonly string[] },
): GitAnswer<readonly string[]> {
  const list = (args: readonly string[]) =>
    listFields(git, target, ["ls-tree", "-z", "--full-tree", commit, "--", ...args], {
      keep: (field) => /^100\d{3} blob /.test(field),
    });
  const top = await list([]);
  if (top.isErr()) return top;
  const below = folders.length === 0 ? ok([]) : await list(folders.map((folder) => `${folder}/`));
  return below.map((fields) =>
    [...top.value, ...fields].map((field) => field.slice(field.indexOf("\t") + 1)),
  );
}

/** The beginning of a file as text. */
export async function textOf(
  git: Git,
  target: GitTarget,
  { commit, path, maxBytes }: { readonly commit: string; readonly path: string; readonly maxBytes: number },
): GitAnswer<string> {
  const shown = await git.run(target, ["cat-file", "blob", `${commit}:${path}`], {
    access: "objects",
    maxOutputBytes: maxBytes,
    overflow: "cut",
  });
  return shown.map(({ stdout }) => stdout);
}

/** The paths of its files, at most `limit`. */
export async function pathsIn(
  git: Git,
  target: GitTarget,
  { commit, limit }: { readonly commit: string; readonly limit: number },
): GitAnswer<readonly string[]> {
  let left = limit;
  return listFields(git, target, ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--"], {
    keep: () => {
      left -= 1;
      return left >= 0;
    },
  });
}
