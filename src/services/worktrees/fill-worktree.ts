/** Writes the files of a new worktree, outside the repository's lock, and its submodules if they are wanted. */
import { ok, type Result, safeTry } from "neverthrow";
import { fillSubmodules, listGitlinks } from "../../git/index/submodule.ts";
import { checkoutWorktree } from "../../git/worktree/worktree-add.ts";
import type { Uses } from "../core/context-parts.ts";
import { gitFailedAt } from "../run-core/git-failure.ts";
import type { RunWorld, Step } from "../run-core/step.ts";
import { worktreeTarget } from "../run-core/targets.ts";

/** A large checkout takes longer than the limit of a git call: it is only slow, not stuck. */
const CHECKOUT_FACTOR = 10;

/** Fails with the step that ends the run. */
export async function fillWorktree(
  context: Uses<"git" | "locks">,
  world: RunWorld,
  options: { readonly needsCheckout: boolean },
): Promise<Result<void, Step>> {
  return safeTry(async function* () {
    const target = worktreeTarget(world.attempt);
    const { limits, submodules } = world.configuration.values;
    const timeoutMs = limits.git_s * 1000 * CHECKOUT_FACTOR;
    if (options.needsCheckout)
      yield* (await checkoutWorktree(context.git, target, { timeoutMs })).mapErr(gitFailedAt("worktree"));
    if (submodules === "none") return ok(undefined);
    const links = yield* (await listGitlinks(context.git, target, "HEAD")).mapErr(gitFailedAt("worktree"));
    if (links.length === 0) return ok(undefined);
    const filled = await context.locks.shared(world.repository.commonDir, () =>
      fillSubmodules(context.git, target, { timeoutMs }),
    );
    return filled.map(() => undefined).mapErr(gitFailedAt("submodules"));
  });
}
