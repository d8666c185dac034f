/** Merges commits beside every worktree: neither files nor references are touched. */
import { err, ok } from "neverthrow";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import { fromNul } from "../process/nul-list.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export type MergeError =
  | RemoteError
  /** Both sides changed the same lines, or one deleted what the other changed. */
  | {
      readonly kind: "conflict";
      readonly paths: readonly string[];
      /** With the markers of the conflicts in its files. */
      readonly tree: string;
      readonly message: string;
    }
  | { readonly kind: "unrelated_histories"; readonly message: string };

/** `git merge-tree --write-tree`: the tree of a merge of two commits, by their own common history. */
export async function mergeCommits(
  git: Git,
  target: GitTarget,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
): GitAnswer<string, MergeError> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs];
  const merged = await git.run(target, args, { access: "objects", expect: [0, 1] });
  if (merged.isErr()) return err(unrelated(merged.error) ?? asRemoteError(merged.error));
  const [tree = "", ...files] = fromNul(merged.value.stdout);
  if (merged.value.exitCode === 0) return ok(tree);
  const paths = [...new Set(files.filter((path) => path !== ""))].sort();
  return err({
    kind: "conflict",
    paths,
    tree,
    message: `both sides changed ${paths.slice(0, 10).join(", ")}`,
  });
}

function unrelated(error: GitError): MergeError | null {
  const isUnrelated = error.kind === "git_failed" && /unrelated histories/.test(error.stderr);
  return isUnrelated ? { kind: "unrelated_histories", message: error.message } : null;
}
