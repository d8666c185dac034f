/** Replaces the files of a worktree by those of a tree, as a journaled act with a snapshot before it. */
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Operation } from "../../domain/operation.ts";
import { putTree } from "../../git/worktree/put-tree.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { noteUndone } from "../../storage/tables/operations.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { askedBy, journaled } from "../core/journal.ts";
import { type Refusal, refuse, refused } from "../core/refusal.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import { worktreeTarget } from "../run-core/targets.ts";

interface Replacement {
  readonly tree: string;
  /** The run that left the tree; null if a replacement is undone. */
  readonly run: string | null;
  /** The worker that came back with these edits; absent if none did. */
  readonly from?: { readonly id: string; readonly name: string };
  /** The operation that this one undoes, or null. */
  readonly undoes: string | null;
  /** The tree that lay there when an earlier try began; null for the first try. */
  readonly begunAt: string | null;
}

/**
 * Call it under the attempt's lock, while no run works there. Refused if the snapshot does not hold everything. A
 * repeated call answers with the same operation.
 */
export async function replaceFiles(
  context: GitContext,
  attempt: Attempt,
  request: Replacement,
): Promise<Result<Operation, Refusal>> {
  const target = worktreeTarget(attempt);
  const snapshot = await keepSnapshot(context, { attempt }, { reason: "restore" });
  if (snapshot.isErr()) return err(notBegun(attempt, snapshot.error.message));
  const { notContained, ref, tree } = snapshot.value;
  const [first] = notContained;
  if (first !== undefined)
    return refused("conflict", "not_contained", `No snapshot can hold ${first.path} (${first.reason}).`, {
      remedy: `Nothing was changed. Move ${join(attempt.worktree, first.path)} out of the worktree, then ask again.`,
      details: { attempt: attempt.id, paths: notContained.map(({ path }) => path) },
    });
  const last = (await replacementsOf(context, attempt)).at(-1);
  const stands = last?.status === "done" && last.undoable && tree === request.tree;
  if (stands && last.before?.run === request.run && last.before.of === request.undoes) return ok(last);
  const place = { gitDir: target.gitDir, workTree: attempt.worktree };
  const by = await askedBy(context, target);
  const put = await journaled(
    context,
    {
      kind: "run_restore",
      subject: { type: "attempt", id: attempt.id },
      before: {
        tree: request.begunAt ?? tree,
        snapshot: ref,
        run: request.run,
        of: request.undoes,
        by,
        reason: reasonOf(request),
        ...(request.from === undefined ? {} : { left: request.from.id }),
      },
      undoable: true,
    },
    () => putTree(context.git, place, { tree: request.tree }),
    () => ({ tree: request.tree }),
    async (trx) => void (request.undoes === null ? null : await noteUndone(trx, request.undoes)),
  );
  if (put.isErr()) return err(failed(attempt, put.error.message));
  const all = await replacementsOf(context, attempt);
  const done = all.findLast(({ before }) => before?.snapshot === ref);
  return done === undefined ? err(failed(attempt, "the journal does not know of it")) : ok(done);
}

function reasonOf({ undoes, from, run }: Replacement): string {
  if (undoes !== null) return undoReason(undoes);
  return from === undefined
    ? `restore of what the run ${run?.slice(0, 8)} left`
    : `restore of what ${from.name} still had`;
}

function undoReason(operation: string): string {
  return `undo of ${operation.slice(0, 8)}`;
}

/** Oldest first. */
function replacementsOf({ db }: Uses<"db">, { id }: Attempt): Promise<Operation[]> {
  return operationsOfKinds(db.reader, ["run_restore"], id);
}

function failed({ id, worktree }: Attempt, message: string): Refusal {
  return refuse("failed", "restore_failed", `${NOT_PUT_BACK}: ${message}`, {
    remedy: `Nothing is lost: what was there is in the latest snapshot of the attempt. Once the cause is mended in ${worktree}, ask again.`,
    details: { attempt: id },
  });
}

/** The same failure before any file was touched: git could not read what is there, or could not keep it. */
export function notBegun({ id }: Attempt, message: string): Refusal {
  return refuse("failed", "restore_failed", `${NOT_PUT_BACK}: ${message}`, {
    remedy: "Nothing was changed. Once the cause is mended, ask again.",
    details: { attempt: id },
  });
}

const NOT_PUT_BACK = "The files could not be put back";
