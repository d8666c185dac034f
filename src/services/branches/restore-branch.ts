/** Makes the branch of an attempt again if it is gone. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "../../git/process/git-error.ts";
import { type RefMoved, readRef, updateRef } from "../../git/refs/refs.ts";
import type { GitContext } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { journaled } from "../core/journal.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** The commit of the branch as it is, else the one that `lastKnown` gives. It is asked only if the branch is gone. */
export async function restoreBranch<Unknown>(
  context: GitContext,
  { attempt, repository }: AttemptInRepository,
  lastKnown: () => Promise<Result<string, Unknown>>,
): Promise<Result<string, Unknown | RefMoved | GitError>> {
  const target = repositoryTarget(repository);
  const { id, branch } = attempt;
  const ref = `refs/heads/${branch}`;
  const existing = await readRef(context.git, target, `${ref}^{commit}`);
  if (existing.isErr()) return err(existing.error);
  if (existing.value !== null) return ok(existing.value);
  const known = await lastKnown();
  if (known.isErr()) return err(known.error);
  const sha = known.value;
  const made = await journaled(
    context,
    { kind: "branch_restored", subject: { type: "attempt", id }, before: { branch, sha: null } },
    () => updateRef(context.git, target, { ref, from: null, to: sha, reason: "tazuna: branch restored" }),
    () => ({ branch, sha }),
  );
  return made.map(() => sha);
}
