/** Writes the tree of a worktree's files as they are now; no reference and no index of it is changed. */
import { join } from "node:path";
import { safeTry } from "neverthrow";
import { stageCopy } from "../index/snapshot-index.ts";
import { copyIndex, rebuildIndex } from "../index/whole-index.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { readHead } from "../refs/refs.ts";
import { overKilled } from "../runner/ask-again.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { withScratch } from "../runner/scratch.ts";

/** Ignored files, and what a snapshot would not hold either, are left out. */
export async function treeOfFiles(git: Git, target: GitTarget): GitAnswer<string> {
  return overKilled(() =>
    withScratch(git, "files", async (folder) =>
      safeTry(async function* () {
        const index = join(folder, "index");
        const { sha } = yield* await readHead(git, target);
        if (!(await copyIndex(target, index)) && sha !== null)
          yield* await rebuildIndex(git, target, { tree: sha, index });
        return (await stageCopy(git, target, { index })).map(({ tree }) => tree);
      }),
    ),
  );
}
