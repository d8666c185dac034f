/** Announces that a repository came into the list, left it or was moved. */
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";

/** In the transaction that changes it. */
export async function repositoryChanged(
  trx: WriteTransaction,
  change: { readonly id: string; readonly at: string; readonly state: "added" | "removed" | "moved" },
): Promise<void> {
  const { id, at, state } = change;
  const data = { repository: id, state };
  await appendFact(trx, { at, kind: "repository.changed", taskId: null, attemptId: null, runId: null, data });
}
