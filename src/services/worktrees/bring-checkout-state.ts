/** Lets an attempt begin from the person's working tree: its uncommitted changes are written into the new worktree. */
import { restoreTree } from "../../git/restore-tree.ts";
import type { ServiceContext } from "../context.ts";
import type { Checkout } from "../repositories/find-checkout.ts";
import { gitFailed } from "../runs/git-failure.ts";
import type { RunWorld, Step } from "../runs/step.ts";
import { keepSnapshot } from "./keep-snapshot.ts";
import { worktreeTarget } from "./targets.ts";

/** Reads the checkout, never writes it. The changes stay uncommitted, so that the gate judges them like all others. */
export async function bringCheckoutState(
  context: ServiceContext,
  world: RunWorld,
  checkout: Checkout,
): Promise<Step | null> {
  const snapshot = await keepSnapshot(context, {
    attemptId: world.attempt.id,
    runId: world.run.id,
    target: { gitDir: checkout.gitDir, workTree: checkout.path },
    reason: "from_worktree",
  });
  if (snapshot.isErr()) return gitFailed("worktree", snapshot.error);
  const restored = await restoreTree(context.git, worktreeTarget(world.attempt), {
    tree: snapshot.value.sha,
  });
  return restored.isErr() ? gitFailed("worktree", restored.error) : null;
}
