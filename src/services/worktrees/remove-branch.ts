/** Takes an attempt's branch away, and keeps a reference to its commits where nothing else holds them. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { deleteBranchAt } from "../../git/branch.ts";
import { deleteRef, readRef } from "../../git/refs.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { isHeldElsewhere, wasCleaned } from "./cleaned-branch.ts";
import { keepTip } from "./keep-tip.ts";
import { repositoryTarget } from "./targets.ts";

interface Of {
  readonly attempt: Attempt;
  readonly repository: Repository;
}

type Outcome = Result<void, { readonly message: string }>;

/**
 * A branch that was there before the attempt is the person's and stays; one that is gone is removed. A clean-up leaves one
 * that is the only way to its commits, or that git refuses to delete.
 */
export async function removeBranch(context: ServiceContext, of: Of): Promise<Outcome> {
  const { attempt, repository } = of;
  if (attempt.branchExisted || attempt.base.sha === null) return ok(undefined);
  const target = repositoryTarget(repository);
  const tip = await readRef(context.git, target, `refs/heads/${attempt.branch}^{commit}`);
  if (tip.isErr()) return err(tip.error);
  if (tip.value === null) return ok(undefined);
  if (attempt.gitDir === null) return removeBareBranch(context, of, tip.value);
  const kept = await keepTip(context, { ...of, tip: tip.value });
  if (kept.isErr()) return err(kept.error);
  const cleaned = await wasCleaned(context, attempt);
  if (cleaned && !(await isHeldElsewhere(context, { repository, tip: tip.value }))) return ok(undefined);
  const at = tip.value;
  const removed = await inJournal(context, of, at, () =>
    deleteBranchAt(context.git, target, { branch: attempt.branch, at }),
  );
  // Such as one that somebody has checked out: the journal says so, and nothing waits for it.
  return cleaned ? ok(undefined) : removed;
}

/** Killed before git's answer was stored: the name is ours only while nothing was added to it. */
async function removeBareBranch(context: ServiceContext, of: Of, tip: string): Promise<Outcome> {
  const { attempt, repository } = of;
  if (tip !== attempt.base.sha) return ok(undefined);
  const ref = `refs/heads/${attempt.branch}`;
  return inJournal(context, of, tip, () =>
    deleteRef(context.git, repositoryTarget(repository), { ref, from: tip }),
  );
}

function inJournal(
  context: ServiceContext,
  { attempt, repository }: Of,
  sha: string,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  return context.locks.config(repository.commonDir, () =>
    journaled(
      context,
      {
        kind: "branch_delete",
        subject: { type: "attempt", id: attempt.id },
        before: { branch: attempt.branch, sha },
        undoable: true,
      },
      act,
      () => null,
    ),
  );
}
