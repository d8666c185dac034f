/** Finds the commit that a run publishes: the one that the gate has read, even if the branch has moved. */
import { err, ok, type Result } from "neverthrow";
import { readRef } from "../../../git/refs/refs.ts";
import type { Remote } from "../../../git/remote/remote.ts";
import { operationsOfKinds } from "../../../storage/queries/find-operations.ts";
import { ensureBranch } from "../../branches/ensure-branch.ts";
import type { ServiceContext } from "../../core/context.ts";
import type { GitContext } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";
import { repositoryTarget } from "../../run-core/targets.ts";
import { settleMerge } from "./settle-merge.ts";

/**
 * The commit that this driver has just made, or the one that an earlier driver was to push. It includes a merge of the
 * earlier driver that the gate has not read yet. A run that only publishes takes the branch as it is: a person may have
 * committed there.
 */
export async function tipToPush(
  context: GitContext & Pick<ServiceContext, "locks">,
  world: RunWorld,
  remote: Remote,
): Promise<Result<string, Step>> {
  const { resumed, run } = world;
  const known = (resumed ? await lastPushed(context, run.id) : null) ?? run.commit;
  if (known === null) return tipOfBranch(context, world);
  if (!resumed) return ok(known);
  return (await settleMerge(context, world, { remote, from: known })).map((tip) => tip ?? known);
}

/** The last commit that a run was to push, from the journal; null if it never got that far. */
export async function lastPushed(context: Pick<ServiceContext, "db">, runId: string): Promise<string | null> {
  const pushes = await operationsOfKinds(context.db.reader, ["push"], runId);
  const { commit, sha: earlier } = pushes.at(-1)?.before ?? {};
  // An earlier version wrote the commit there.
  const sha = commit ?? earlier;
  return typeof sha === "string" ? sha : null;
}

async function tipOfBranch(context: GitContext, world: RunWorld): Promise<Result<string, Step>> {
  const ref = `refs/heads/${world.attempt.branch}^{commit}`;
  const there = await ensureBranch(context, world);
  if (there.isErr()) return err(gitFailed("push", there.error));
  const tip = await readRef(context.git, repositoryTarget(world.repository), ref);
  if (tip.isErr()) return err(gitFailed("push", tip.error));
  return tip.value === null
    ? err(failed("worktree_lost", `The branch ${world.attempt.branch} is gone.`))
    : ok(tip.value);
}
