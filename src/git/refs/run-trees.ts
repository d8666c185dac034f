/** Keeps the trees from before and after a run under `refs/tazuna/runs/RUN/`. */
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { listRefs } from "./refs.ts";

interface RunTrees {
  readonly before: string | null;
  readonly after: string | null;
}

/** Stores a tree; a second call for the same run and side replaces the first. */
export async function keepRunTree(
  git: Git,
  target: GitTarget,
  kept: { readonly run: string; readonly side: "before" | "after"; readonly tree: string },
): GitAnswer<void> {
  const reason = `tazuna: tree ${kept.side} the run`;
  const ref = `${folderOf(kept.run)}/${kept.side}`;
  const args = ["update-ref", "--no-deref", "-m", reason, ref, kept.tree];
  const updated = await git.run(target, args, { lockRetries: 6 });
  return updated.map(() => undefined);
}

export async function readRunTrees(git: Git, target: GitTarget, run: string): GitAnswer<RunTrees> {
  const refs = await listRefs(git, target, { prefixes: [`${folderOf(run)}/`] });
  return refs.map((found) => {
    const at = (side: string) => found.find(({ name }) => name === `${folderOf(run)}/${side}`)?.sha ?? null;
    return { before: at("before"), after: at("after") };
  });
}

function folderOf(run: string): string {
  return `refs/tazuna/runs/${run}`;
}
