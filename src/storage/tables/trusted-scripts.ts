/** Stores which scripts of a repository the user has trusted, by the hash of their content. */
import type { TrustedScript } from "../../domain/repository/trusted-script.ts";
import { type Reader, trustedScripts, type WriteTransaction } from "../schema/schema.ts";

/** A second call changes nothing. */
export async function trustScript(trx: WriteTransaction, script: TrustedScript): Promise<void> {
  await trx
    .insertInto("trustedScripts")
    .values(trustedScripts.write(script))
    .onConflict((conflict) => conflict.columns(["repositoryId", "hash"]).doNothing())
    .execute();
}

/** The hashes of all trusted scripts of this repository. */
export async function trustedHashes(db: Reader, repositoryId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("trustedScripts")
    .select("hash")
    .where("repositoryId", "=", repositoryId)
    .execute();
  return new Set(rows.map((row) => row.hash));
}

/** Every script that was ever trusted in this repository, the newest first. */
export async function trustedScriptsOf(db: Reader, repositoryId: string): Promise<readonly TrustedScript[]> {
  const rows = await db
    .selectFrom("trustedScripts")
    .selectAll()
    .where("repositoryId", "=", repositoryId)
    .orderBy("trustedAt", "desc")
    .execute();
  return rows.map(trustedScripts.read);
}
