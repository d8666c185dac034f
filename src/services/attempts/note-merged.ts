/** Stores that an attempt's work is in its target, or that it is not there any more. */
import { z } from "zod";
import type { Attempt, Merged } from "../../domain/attempt/attempt.ts";
import type { Operation } from "../../domain/operation.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { updateAttempt } from "../../storage/tables/attempts.ts";
import { attemptChanged } from "../core/attempt-changed.ts";

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

/** What the journal keeps of a merge. */
export const mergeRecord = z.object({
  ref: z.string(),
  branch: z.string(),
  sha: z.string(),
  to: z.string(),
  tip: z.string(),
  checkout: z.object({ path: z.string(), gitDir: z.string() }).nullable(),
});

/** What the attempt stores of such an operation. */
export function mergeOf({ before }: Operation, at: string): Merged {
  const { to, tip, branch, sha } = mergeRecord.parse(before);
  return { at, commit: to, tip, target: branch, before: sha, by: "tazuna" };
}
