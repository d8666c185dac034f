/** Stores that an attempt's work is in its target, or that it is not there any more. */
import type { Attempt, Merged } from "../../domain/attempt/attempt.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { updateAttempt } from "../../storage/tables/attempts.ts";
import { attemptChanged } from "../attempts/attempt-changed.ts";

/** In the transaction that records what merged it. Null takes that back. */
export async function noteMerged(
  trx: WriteTransaction,
  attempt: Attempt,
  { at, merged }: { readonly at: string; readonly merged: Merged | null },
): Promise<void> {
  await updateAttempt(trx, { id: attempt.id, set: { merged } });
  const told = merged && { target: merged.target, commit: merged.commit, by: merged.by };
  await attemptChanged(trx, attempt, { at, state: attempt.state, merged: told });
}
