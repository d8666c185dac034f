/** Announces that a repository came into the list, left it, was moved or has another address; puts one that is used again back. */
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { markRepository } from "../../storage/tables/repositories.ts";

/** In the transaction that changes it. */
export async function repositoryChanged(
  trx: WriteTransaction,
  change: {
    readonly id: string;
    readonly at: string;
    readonly state: "added" | "removed" | "moved" | "addressed" | "put_away";
  },
): Promise<void> {
  const { id, at, state } = change;
  const data = { repository: id, state };
  await appendFact(trx, { at, kind: "repository.changed", taskId: null, attemptId: null, runId: null, data });
}

/** A repository that was taken out of the list returns to it when it is used again. Answers whether it did. */
export async function listAgain(
  trx: WriteTransaction,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<boolean> {
  const isBack = await markRepository(trx, { id, removedAt: null });
  if (isBack) await repositoryChanged(trx, { id, at, state: "added" });
  return isBack;
}
