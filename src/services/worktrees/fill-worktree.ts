/** Writes the files of a new worktree, outside the repository's lock, and its submodules if they are wanted. */
import { fillSubmodules, listGitlinks } from "../../git/index/submodule.ts";
import { checkoutWorktree } from "../../git/worktree/worktree-add.ts";
import type { ServiceContext } from "../core/context.ts";
import { gitFailed } from "../run-core/git-failure.ts";
import type { RunWorld, Step } from "../run-core/step.ts";
import { worktreeTarget } from "../run-core/targets.ts";

/** A large checkout takes longer than the limit of a git call: it is only slow, not stuck. */
const CHECKOUT_FACTOR = 10;

/** The step that ends the run if it could not be filled; null if it was. */
export async function fillWorktree(
  context: Pick<ServiceContext, "git" | "locks">,
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
  return submodulesFilled.isErr() ? gitFailed("submodules", submodulesFilled.error) : null;
}
