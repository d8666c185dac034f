/** Replaces the files of a worktree by those of a tree, as an act of the journal, with a snapshot before. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Operation } from "../../domain/operation.ts";
import { putTree } from "../../git/put-tree.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import { noteUndone } from "../../storage/operations.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";
import { keepSnapshot } from "../worktrees/keep-snapshot.ts";
import { worktreeTarget } from "../worktrees/targets.ts";

export interface Replacement {
  readonly tree: string;
  /** The run that left the tree; null where a replacement is undone. */
  readonly run: string | null;
  /** The operation that is undone by it, or null. */
  readonly of: string | null;
  /** The tree that lay there when an earlier try began; null where this is the first. */
  readonly begunAt: string | null;
}

/** Under the attempt's lock, while nobody works there. Refused where the snapshot does not hold everything; asked again, the same operation. */
export async function replaceFiles(
  context: ServiceContext,
  attempt: Attempt,
  wish: Replacement,
): Promise<Result<Operation, Refusal>> {
  const target = worktreeTarget(attempt);
  const snapshot = await keepSnapshot(context, {
    attemptId: attempt.id,
    runId: null,
    target,
    reason: "restore",
  });
  if (snapshot.isErr()) return err(notBegun(attempt, snapshot.error.message));
  const { notContained, ref, tree } = snapshot.value;
  const [first] = notContained;
  if (first !== undefined)
    return err(
      refuse("conflict", "not_contained", `No snapshot can hold ${first.path} (${first.reason}).`, {
        remedy: "Move it out of the worktree, then try again. Nothing was changed.",
        details: { attempt: attempt.id, paths: notContained.map(({ path }) => path) },
      }),
    );
  const last = (await replacementsOf(context, attempt)).at(-1);
  const stands = last?.status === "done" && last.undoable && tree === wish.tree;
  if (stands && last.before?.run === wish.run && last.before.of === wish.of) return ok(last);
  const place = { gitDir: target.gitDir, workTree: attempt.worktree };
  const put = await journaled(
    context,
    {
      kind: "run_restore",
      subject: { type: "attempt", id: attempt.id },
      before: { tree: wish.begunAt ?? tree, snapshot: ref, run: wish.run, of: wish.of },
      undoable: true,
    },
    () => putTree(context.git, place, { tree: wish.tree }),
    () => ({ tree: wish.tree }),
    async (trx) => void (wish.of === null ? null : await noteUndone(trx, wish.of)),
  );
  if (put.isErr()) return err(failed(attempt, put.error.message));
  const all = await replacementsOf(context, attempt);
  const done = all.findLast(({ before }) => before?.snapshot === ref);
  return done === undefined ? err(failed(attempt, "the journal does not know of it")) : ok(done);
}

/** Oldest first. */
function replacementsOf({ db }: ServiceContext, { id }: Attempt): Promise<Operation[]> {
  return operationsOfKinds(db.reader, ["run_restore"], id);
}

function failed({ id, worktree }: Attempt, message: string): Refusal {
  return refuse("failed", "restore_failed", `${NOT_PUT_BACK}: ${message}`, {
    remedy: `Nothing is lost: what was there is in the latest snapshot of the attempt. See to ${worktree}, then try again.`,
    details: { attempt: id },
  });
}

/** The same before any file was touched: git could not be asked what is there, or could not keep it. */
export function notBegun({ id }: Attempt, message: string): Refusal {
  return refuse("failed", "restore_failed", `${NOT_PUT_BACK}: ${message}`, {
    remedy: "Nothing was changed. See to the cause, then try again.",
    details: { attempt: id },
  });
}

const NOT_PUT_BACK = "The files could not be put back";
