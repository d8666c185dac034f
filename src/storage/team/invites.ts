/** Stores invitations by the hashes of their secrets; each is used up by one statement, so that it works once. */
import type { Invite } from "../../domain/worker/invite.ts";
import { databaseTime } from "../schema/database-time.ts";
import { invites, type Reader, type WriteTransaction } from "../schema/schema.ts";

/** Used and expired ones are told from unknown ones for so long. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Answers with when it expires. Forgets old ones. */
export async function insertInvite(
  trx: WriteTransaction,
  { hash, forMs }: { readonly hash: string; readonly forMs: number },
): Promise<string> {
  await trx.deleteFrom("invites").where("expiresAt", "<", databaseTime(trx, -KEPT_MS)).execute();
  const { expiresAt } = await trx
    .insertInto("invites")
    .values({
      hash,
      createdAt: databaseTime(trx),
      expiresAt: databaseTime(trx, forMs),
      usedAt: null,
      usedBy: null,
    })
    .returning("expiresAt")
    .executeTakeFirstOrThrow();
  return expiresAt;
}

interface FoundInvite extends Invite {
  /** By the database's clock. */
  readonly isExpired: boolean;
}

/** Also if it was used or has expired; null if there is none. */
export async function findInvite(db: Reader, hash: string): Promise<FoundInvite | null> {
  const row = await db
    .selectFrom("invites")
    .selectAll()
    .select(databaseTime(db).as("now"))
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row === undefined ? null : { ...invites.read(row), isExpired: row.expiresAt <= row.now };
}

/** Whether it was still good, and is now used up by that worker. Of several callers one gets true. */
export async function useInvite(
  trx: WriteTransaction,
  { hash, worker }: { readonly hash: string; readonly worker: string },
): Promise<boolean> {
  const used = await trx
    .updateTable("invites")
    .set({ usedAt: databaseTime(trx), usedBy: worker })
    .where("hash", "=", hash)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", databaseTime(trx))
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}
