/** Deletes the branch of a merged attempt from its remote, if the configuration asks for it. */
import { err, ok, type Result } from "neverthrow";
import { isAncestor } from "../../git/refs/rev-list.ts";
import { deleteRemoteBranch } from "../../git/remote/delete-remote-branch.ts";
import { remoteHead } from "../../git/remote/ls-remote.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { journaled } from "../core/journal.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { fetchRepository } from "../repositories/fetch-repository.ts";
import { repositoryTarget } from "../run-core/targets.ts";

type Outcome = Result<void, { readonly kind: string; readonly message: string }>;

/**
 * Only a branch that Tazuna made, at the commit that was merged, if the remote's target has it. A branch that
 * is gone counts as removed.
 */
export async function removeRemoteBranch(
  context: GitContext & Uses<"locks" | "configuration" | "shell">,
  { attempt, task, repository }: AttemptPlace,
): Promise<Outcome> {
  const { merged, branch, branchExisted } = attempt;
  const configuration = (await context.configuration(repository, task.settings)).unwrapOr(null);
  if (merged === null || branchExisted || configuration?.values.forge.delete_remote_branch !== true)
    return ok(undefined);
  const { commonDir } = repository;
  const remote = (await remotesOf(context, { commonDir, configuration })).unwrapOr(null)?.push ?? null;
  if (remote === null) return ok(undefined);
  const target = repositoryTarget(repository);
  // Else the remote's branch is the only place from which others get the work.
  const upstream = `refs/remotes/${remote.name}/${merged.target}`;
  const hasArrived = async () =>
    (await isAncestor(context.git, target, { ancestor: merged.commit, descendant: upstream })).unwrapOr(
      false,
    );
  if (!(await hasArrived())) {
    // Somebody merged it there, and nobody has fetched since.
    const fetched = await fetchRepository(context, repository, { remote, signal: context.engineStop });
    if (fetched.isErr()) return err(fetched.error);
    if (!(await hasArrived())) return ok(undefined);
  }
  const head = await remoteHead(context.git, target, { remote: remote.name, branch });
  if (head.isErr()) return err(head.error);
  if (head.value !== merged.tip) return ok(undefined);
  const before = { ref: `${remote.name}/${branch}`, sha: merged.tip };
  const deleted = await context.locks.pushing(commonDir, () =>
    journaled(
      context,
      { kind: "remote_branch_delete", subject: { type: "attempt", id: attempt.id }, before },
      () => deleteRemoteBranch(context.git, target, { remote: remote.name, branch, at: merged.tip }),
      ({ kept }) => (kept === null ? null : { ...before, kept }),
    ),
  );
  return deleted.map(() => undefined);
}
