/** Begins an attempt from the person's checkout: brings its uncommitted changes, and reports how it differs. */
import { err, type Result } from "neverthrow";

import type { StartedFrom } from "../../../domain/attempt/attempt.ts";
import { readHead } from "../../../git/refs/refs.ts";
import { countApart, sharesCommit } from "../../../git/refs/rev-list.ts";
import type { ResolvedBase } from "../../../git/remote/named-base.ts";
import { restoreTree } from "../../../git/worktree/restore-files.ts";
import type { GitContext, Uses } from "../../core/context-parts.ts";
import type { Checkout } from "../../core/find-checkout.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
import { keepSnapshot } from "../../run-core/keep-snapshot.ts";
import type { RunWorld, Step } from "../../run-core/step.ts";
import { worktreeTarget } from "../../run-core/targets.ts";

/**
 * Writes the uncommitted changes of the person's working tree into the new worktree. Reads the checkout and never
 * writes it. The changes stay uncommitted, so that the gate judges them like all others.
 */
export async function bringCheckoutState(
  context: GitContext,
  world: RunWorld,
  checkout: Checkout,
): Promise<Result<void, Step>> {
  const snapshot = await keepSnapshot(context, world, {
    target: { gitDir: checkout.gitDir, workTree: checkout.path },
    reason: "from_worktree",
  });
  if (snapshot.isErr()) return err(gitFailed("worktree", snapshot.error));
  const restored = await restoreTree(context.git, worktreeTarget(world.attempt), {
    tree: snapshot.value.sha,
  });
  return restored.map(() => undefined).mapErr(gitFailedAt("worktree"));
}

/**
 * How the person's own checkout differs from the commit that an attempt starts from. This only helps people: if git
 * cannot compare the two, the numbers are left out. They are also left out if both differ and share no commit. A
 * shallow clone would count the whole history that it lacks.
 */
export async function startedFrom(
  context: Uses<"git">,
  start: { readonly base: ResolvedBase; readonly checkout: Checkout; readonly fromWorktree: boolean },
): Promise<StartedFrom> {
  const name = start.base.ref.replace(/^refs\/(heads|remotes|tags)\//, "");
  const { fromWorktree } = start;
  if (start.checkout.bare) return { name, fromWorktree, ahead: null, behind: null };
  const target = { gitDir: start.checkout.gitDir, workTree: null };
  const head = await readHead(context.git, target);
  const mine = head.isOk() ? head.value.sha : null;
  if (mine === null) return { name, fromWorktree, ahead: null, behind: null };
  if (mine === start.base.sha) return { name, fromWorktree, ahead: 0, behind: 0 };
  const counted = await countApart(context.git, target, { mine, theirs: start.base.sha });
  const apart = counted.unwrapOr({ ahead: null, behind: null });
  if (!apart.ahead || !apart.behind) return { name, fromWorktree, ...apart };
  const histories = { one: mine, other: start.base.sha, beyond: null };
  const related = (await sharesCommit(context.git, target, histories)).unwrapOr(false);
  return { name, fromWorktree, ...(related ? apart : { ahead: null, behind: null }) };
}
