/** Announces that the state of an attempt, of its clean-up or of its merge has changed. */
import type { Attempt, Merged } from "../../domain/attempt/attempt.ts";
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
