/** Makes a tree from another one by changing single paths, in an index of its own beside every worktree. */
import { join } from "node:path";
import { safeTry } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { toNul } from "../process/nul-list.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { withScratch } from "../runner/scratch.ts";

/** What is to be at a path; null for nothing. */
interface TreeChange {
  readonly path: string;
  readonly after: { readonly mode: string; readonly sha: string } | null;
}

/**
 * The id of the new tree. `tree` is the full id of a tree or a commit; null for an empty one. A file in the place of a folder replaces
 * it, and the other way round. Names must be valid UTF-8.
 */
export async function changeTree(
  git: Git,
  target: GitTarget,
  { tree, changes }: { readonly tree: string | null; readonly changes: readonly TreeChange[] },
): GitAnswer<string> {
  return withScratch(git, "tree", async (folder) =>
    safeTry(async function* () {
      const options = { access: "objects", extraEnv: { GIT_INDEX_FILE: join(folder, "index") } } as const;
      yield* await git.run(target, ["read-tree", tree ?? "--empty"], options);
      yield* await git.run(target, ["update-index", "-z", "--add", "--replace", "--index-info"], {
        ...options,
        stdin: toNul(linesOf(changes, tree)),
      });
      // The objects of a partial clone need not be here.
      const written = await git.run(target, ["write-tree", "--missing-ok"], options);
      return written.map(({ stdout }) => stdout.trim());
    }),
  );
}

/** Removals come first: a folder may be in the place of a file that goes. */
function linesOf(changes: readonly TreeChange[], tree: string | null): readonly string[] {
  const nothing = "0".repeat(tree?.length ?? 0);
  const removals = tree === null ? [] : changes.filter(({ after }) => after === null);
  return [
    ...removals.map(({ path }) => `0 ${nothing}\t${path}`),
    ...changes.flatMap(({ path, after }) => (after === null ? [] : [`${after.mode} ${after.sha}\t${path}`])),
  ];
}
