/** Renames an attempt's branch, in git and in the records, before it was ever pushed. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Operation } from "../../domain/operation.ts";
import type { GitError } from "../../git/process/git-error.ts";
import { deleteRef, pointHeadAt, type RefMoved, readHead, readRef, updateRef } from "../../git/refs/refs.ts";
import { renameUpstream } from "../../git/remote/upstream.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { journaled } from "../core/journal.ts";
import { storeFactsIn } from "../run-core/move-run.ts";
import type { RunWorld } from "../run-core/step.ts";
import { repositoryTarget, worktreeTarget } from "../run-core/targets.ts";
import { remainsOf } from "./reattach-worktree.ts";

type Failed = GitError | RefMoved;

interface Names {
  readonly from: string;
  readonly to: string;
  /** The commit that the branch is at. */
  readonly sha: string;
}

/**
 * The world with the new name. The name is stored with the intention: the next engine goes on from there after a kill.
 */
export async function renameBranch(
  context: GitContext & Uses<"locks">,
  world: RunWorld,
  names: Names,
): Promise<Result<RunWorld, Failed>> {
  const { from, to, sha } = names;
  const renamed = await context.locks.config(world.repository.commonDir, () =>
    journaled(
      context,
      {
        kind: "branch_renamed",
        subject: { type: "attempt", id: world.attempt.id },
        before: { branch: from, sha },
        intend: async (trx) => void (await storeFactsIn(trx, world, { attempt: { branch: to } })),
      },
      () => moveBranch(context, world, names),
      () => ({ branch: to, sha }),
    ),
  );
  return renamed.map(() => ({ ...world, attempt: { ...world.attempt, branch: to } }));
}

/** Finishes a renaming that failed half-way, or that a killed engine had begun. */
export async function finishRename(
  context: GitContext & Uses<"locks">,
  world: RunWorld,
): Promise<Result<void, Failed>> {
  const last = (await renamings(context, world.attempt.id)).at(-1);
  const { branch: from, sha } = last?.before ?? {};
  if (last === undefined || last.status === "done") return ok(undefined);
  if (typeof from !== "string" || typeof sha !== "string") return ok(undefined);
  const renamed = await renameBranch(context, world, { from, to: world.attempt.branch, sha });
  return renamed.map(() => undefined);
}

/** Whether the branch has its other name already: by this run before a crash, or by an earlier try. */
export async function wasRenamedBy(
  context: Uses<"db">,
  { attempt, run, earlier }: RunWorld,
): Promise<boolean> {
  const others = earlier.findLastIndex(
    ({ options, outcome }) => options.anotherBranch !== true || outcome === "pushed",
  );
  const { createdAt } = earlier[others + 1] ?? run;
  const renamed = await renamings(context, attempt.id);
  return renamed.some(({ at }) => at >= createdAt);
}

/** The names that branches of attempts had before. */
export async function formerNames(context: Uses<"db">): Promise<ReadonlySet<string>> {
  const renamed = await renamings(context);
  return new Set(renamed.map(({ before }) => String(before?.branch)));
}

function renamings(context: Uses<"db">, attemptId?: string): Promise<readonly Operation[]> {
  return operationsOfKinds(context.db.reader, ["branch_renamed"], attemptId);
}

/** Each step may be repeated. If another person put a branch on the old name meanwhile, it stays there. */
async function moveBranch(
  { git }: Uses<"git">,
  { attempt, repository }: RunWorld,
  { from, to, sha }: Names,
): Promise<Result<void, Failed>> {
  return safeTry(async function* () {
    const target = repositoryTarget(repository);
    const reason = `tazuna: renamed from ${from}`;
    const taken = yield* await readRef(git, target, `refs/heads/${to}`);
    if (taken !== sha)
      yield* await updateRef(git, target, { ref: `refs/heads/${to}`, from: null, to: sha, reason });
    if ((await remainsOf(attempt)) === "whole") {
      const worktree = worktreeTarget(attempt);
      const head = yield* await readHead(git, worktree);
      if (head.branch === from) yield* await pointHeadAt(git, worktree, to, { reason });
    }
    yield* await renameUpstream(git, target, { from, to });
    const deleted = await deleteRef(git, target, { ref: `refs/heads/${from}`, from: sha });
    return deleted.isErr() && deleted.error.kind !== "ref_moved" ? err(deleted.error) : ok(undefined);
  });
}
