/** Puts the branch of an attempt back where somebody deleted it. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Run } from "../../domain/run/run.ts";
import { lastCommitOfHead } from "../../git/reflog.ts";
import { readRef } from "../../git/refs.ts";
import type { ServiceContext } from "../context.ts";
import { restoreBranch } from "./restore-branch.ts";
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
  const { branch } = of.attempt;
  const there = await restoreBranch(context, of, async () => {
    const sha = await lastKnown(context, of);
    const message = `The branch ${branch} is gone, and with it the attempt's commits.`;
    return sha.andThen((known) => (known === null ? err({ kind: "worktree_missing", message }) : ok(known)));
  });
  return there.map(() => undefined);
}

async function lastKnown(context: ServiceContext, of: Of): Promise<Result<string | null, Lost>> {
  const { attempt, run, earlier, repository } = of;
  const head = attempt.gitDir === null ? null : await lastCommitOfHead(attempt.gitDir);
  const last = earlier.findLast(({ commit }) => commit !== null)?.commit ?? null;
  for (const sha of [run?.commit, run?.startSha, head, last, attempt.base.sha]) {
    if (!sha) continue;
    const found = await readRef(context.git, repositoryTarget(repository), `${sha}^{commit}`);
    // An older one would take commits from the branch.
    if (found.isErr() || found.value !== null) return found;
  }
  return ok(null);
}
