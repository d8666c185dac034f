/** Puts the branch of an attempt back where somebody deleted it. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Run } from "../../domain/run/run.ts";
import { lastCommitOfHead } from "../../git/reflog.ts";
import { readRef, updateRef } from "../../git/refs.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { repositoryTarget } from "./targets.ts";

interface Of {
  readonly attempt: Attempt;
  readonly repository: Repository;
  /** The one that goes on; null where none does. */
  readonly run: Run | null;
  /** The attempt's other runs, oldest first. */
  readonly earlier: readonly Run[];
}

type Lost = { readonly kind: string; readonly message: string };

/**
 * The branch is there, or is again: at the run's own commit or start, else where the worktree's HEAD was last, else at the
 * attempt's last commit, which nothing else may point at any more.
 */
export async function ensureBranch(context: ServiceContext, of: Of): Promise<Result<void, Lost>> {
  const { attempt, repository } = of;
  const target = repositoryTarget(repository);
  const ref = `refs/heads/${attempt.branch}`;
  const now = await readRef(context.git, target, `${ref}^{commit}`);
  if (now.isErr()) return err(now.error);
  if (now.value !== null) return ok(undefined);
  const sha = await lastKnown(context, of);
  if (sha === null) {
    const message = `The branch ${attempt.branch} is gone, and with it the attempt's commits.`;
    return err({ kind: "worktree_missing", message });
  }
  return journaled(
    context,
    {
      kind: "branch_restored",
      subject: { type: "attempt", id: attempt.id },
      before: { branch: attempt.branch, sha: null },
    },
    () => updateRef(context.git, target, { ref, from: null, to: sha, reason: "tazuna: branch restored" }),
    () => ({ branch: attempt.branch, sha }),
  );
}

async function lastKnown(context: ServiceContext, of: Of): Promise<string | null> {
  const { attempt, run, earlier, repository } = of;
  const head = attempt.gitDir === null ? null : await lastCommitOfHead(attempt.gitDir);
  const last = earlier.findLast(({ commit }) => commit !== null)?.commit ?? null;
  for (const sha of [run?.commit, run?.startSha, head, last, attempt.base.sha]) {
    if (!sha) continue;
    const found = await readRef(context.git, repositoryTarget(repository), `${sha}^{commit}`);
    if (found.isOk() && found.value !== null) return found.value;
  }
  return null;
}
