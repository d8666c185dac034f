/** Stores which scripts of a repository the user has trusted, by the hash of their content. */
import { toTime } from "../schema/row.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";

export interface TrustedScript {
  readonly repositoryId: string;
  /** Of the content; another content is another script. */
  readonly hash: string;
  /** The text that the user saw. */
  readonly text: string;
  readonly trustedAt: string;
}

/** A second call changes nothing. */
export async function trustScript(trx: WriteTransaction, script: TrustedScript): Promise<void> {
  await trx
    .insertInto("trusted_scripts")
    .values({
      repository_id: script.repositoryId,
      hash: script.hash,
      text: script.text,
      trusted_at: toTime(script.trustedAt),
    })
    .onConflict((conflict) => conflict.columns(["repository_id", "hash"]).doNothing())
    .execute();
}

/** The hashes of all trusted scripts of this repository. */
export async function trustedHashes(db: Reader, repositoryId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("trusted_scripts")
    .select("hash")
    .where("repository_id", "=", repositoryId)
    .execute();
  return new Set(rows.map((row) => row.hash));
}
