/** Finds the commit that a run publishes: the one that the gate has read, wherever the branch is by now. */
import { err, ok, type Result } from "neverthrow";
import { readRef } from "../../git/refs.ts";
import type { Remote } from "../../git/remote.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import type { ServiceContext } from "../context.ts";
import { ensureBranch } from "../worktrees/ensure-branch.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { gitFailed } from "./git-failure.ts";
import { settleMerge } from "./settle-merge.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

/**
 * What this driver has just committed, or what an earlier one was to push, with a merge that it made and did not live to
 * have read. A run that only publishes takes the branch as it is: a person may have committed there.
 */
export async function tipToPush(
  context: ServiceContext,
  world: RunWorld,
  remote: Remote,
): Promise<Result<string, Step>> {
  const { resumed, run } = world;
  const known = (resumed ? await lastPushed(context, run.id) : null) ?? run.commit;
  if (known === null) return tipOfBranch(context, world);
  if (!resumed) return ok(known);
  return (await settleMerge(context, world, { remote, from: known })).map((tip) => tip ?? known);
}

/** The last commit that a run was to push, as the journal has it; null where it never came to that. */
export async function lastPushed(context: ServiceContext, runId: string): Promise<string | null> {
  const pushes = await operationsOfKinds(context.db.reader, ["push"], runId);
  const sha = pushes.at(-1)?.before?.sha;
  return typeof sha === "string" ? sha : null;
}

async function tipOfBranch(context: ServiceContext, world: RunWorld): Promise<Result<string, Step>> {
  const ref = `refs/heads/${world.attempt.branch}^{commit}`;
  const there = await ensureBranch(context, world);
  if (there.isErr()) return err(gitFailed("push", there.error));
  const tip = await readRef(context.git, repositoryTarget(world.repository), ref);
  if (tip.isErr()) return err(gitFailed("push", tip.error));
  return tip.value === null
    ? err(failed("worktree_lost", `The branch ${world.attempt.branch} is gone.`))
    : ok(tip.value);
}
