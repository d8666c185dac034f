/** Writes the files of a new worktree, outside the repository's lock, and its submodules where they are wanted. */
import { fillSubmodules, listGitlinks } from "../../git/submodule.ts";
import { checkoutWorktree } from "../../git/worktree-add.ts";
import type { ServiceContext } from "../context.ts";
import { gitFailed } from "../runs/git-failure.ts";
import type { RunWorld, Step } from "../runs/step.ts";
import { worktreeTarget } from "./targets.ts";

/** A large checkout takes longer than a git call may: it is only slow, not stuck. */
const CHECKOUT_FACTOR = 10;

/** The step that ends the run where it could not be filled; null where it was. */
export async function fillWorktree(
  context: ServiceContext,
  world: RunWorld,
  options: { readonly needsCheckout: boolean },
): Promise<Step | null> {
  const target = worktreeTarget(world.attempt);
  const { limits, submodules } = world.configuration.values;
  const timeoutMs = limits.git_s * 1000 * CHECKOUT_FACTOR;
  if (options.needsCheckout) {
    const filled = await checkoutWorktree(context.git, target, { timeoutMs });
    if (filled.isErr()) return gitFailed("worktree", filled.error);
  }
  if (submodules === "none") return null;
  const links = await listGitlinks(context.git, target, "HEAD");
  if (links.isErr()) return gitFailed("worktree", links.error);
  if (links.value.length === 0) return null;
  const submodulesFilled = await context.locks.shared(world.repository.commonDir, () =>
    fillSubmodules(context.git, target, { timeoutMs }),
  );
  return submodulesFilled.isErr() ? gitFailed("worktree", submodulesFilled.error) : null;
}
