/** Announces that the state of an attempt, of its clean-up, of its merge or of its patch has changed. */
import type { Attempt, AttemptPatch, Merged } from "../../domain/attempt/attempt.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";

/** In the transaction that changes it. */
export async function attemptChanged(
  trx: WriteTransaction,
  { id, taskId }: Attempt,
  change: {
    readonly at: string;
    readonly state: Attempt["state"];
    readonly clean_up?: string | null;
    readonly merged?: Pick<Merged, "target" | "commit" | "by"> | null;
  },
): Promise<void> {
  const { at, ...data } = change;
  await appendFact(trx, { at, kind: "attempt.changed", taskId, attemptId: id, runId: null, data });
}

/** Its patch was counted anew; null: it could not be counted. In the transaction that stores it. */
export async function patchChanged(
  trx: WriteTransaction,
  { id, taskId, state }: Attempt,
  { patch, at }: { readonly patch: AttemptPatch | null; readonly at: string },
): Promise<void> {
  const changes = patch && { files: patch.files, additions: patch.additions, deletions: patch.deletions };
  const data = { state, changes };
  await appendFact(trx, { at, kind: "attempt.changed", taskId, attemptId: id, runId: null, data });
}
