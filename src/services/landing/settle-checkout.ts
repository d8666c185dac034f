/** Looks after a checkout of the user in which a git of ours was killed: what it began is finished, or taken back. */
import type { Result } from "neverthrow";
import { someOf } from "../../domain/text/listed.ts";
import { resetMixed } from "../../git/index/whole-index.ts";
import { settleDifference } from "../../git/merge/half-laid.ts";
import { type Difference, unstagePaths } from "../../git/merge/lay-difference.ts";
import { readHead, updateRef } from "../../git/refs/refs.ts";
import type { Uses } from "../core/context-parts.ts";
import { clearIndexLock } from "../worktrees/clear-stale-locks.ts";

interface Checkout {
  readonly path: string;
  readonly gitDir: string;
}

/** Whether all of the difference is there, as uncommitted changes. Throws if files of a person lie in between. */
export async function settleApplied(
  context: Uses<"git">,
  { path, gitDir }: Checkout,
  difference: Difference,
): Promise<boolean> {
  const target = { gitDir, workTree: path };
  await clearIndexLock({ path, gitDir });
  const { state, paths, left } = orThrow(await settleDifference(context.git, target, difference));
  refuseLeft(path, left);
  if (state === "whole") orThrow(await unstagePaths(context.git, target, paths));
  return state === "whole";
}

/** The same for a fast-forward: HEAD follows the files, or they are as before. Nothing if HEAD is elsewhere. */
export async function settleFastForward(
  context: Uses<"git">,
  { path, gitDir }: Checkout,
  { branch, from, to }: Difference & { readonly branch: string },
): Promise<void> {
  const target = { gitDir, workTree: path };
  const head = await readHead(context.git, target);
  if (head.isErr() || head.value.branch !== branch || head.value.sha !== from) return;
  await clearIndexLock({ path, gitDir });
  const { state, left } = orThrow(await settleDifference(context.git, target, { from, to }));
  refuseLeft(path, left);
  if (state === "before") return;
  const reason = "tazuna: merge finished";
  orThrow(await updateRef(context.git, target, { ref: `refs/heads/${branch}`, from, to, reason }));
  orThrow(await resetMixed(context.git, target));
}

function refuseLeft(path: string, left: readonly string[]): void {
  if (left.length === 0) return;
  throw new Error(
    `git was killed while it wrote files at ${path}; what is in ${someOf(left, 5)} is not from it, and stays`,
  );
}

function orThrow<T>(done: Result<T, { readonly message: string }>): T {
  if (done.isErr()) throw new Error(done.error.message);
  return done.value;
}
