/** Stores the people who signed in through an identity provider. The row of one who was removed stays. */
import type { Person } from "../../domain/access/person.ts";
import type { Role } from "../../domain/access/role.ts";
import { databaseTime } from "../schema/database-time.ts";
import { people, type Reader, type WriteTransaction } from "../schema/schema.ts";

/** By what the provider calls them, also if they were removed. */
export async function findPersonBySubject(
  db: Reader,
  { issuer, subject }: Pick<Person, "issuer" | "subject">,
): Promise<Person | null> {
  const row = await db
    .selectFrom("people")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row === undefined ? null : people.read(row);
}

/** The oldest first, also those that were removed. */
export async function listPeople(db: Reader): Promise<readonly Person[]> {
  const rows = await db.selectFrom("people").selectAll().orderBy("createdAt").orderBy("id").execute();
  return rows.map(people.read);
}

export async function insertPerson(
  trx: WriteTransaction,
  person: Omit<Person, "createdAt" | "seenAt" | "removedAt">,
): Promise<void> {
  const now = databaseTime(trx);
  await trx
    .insertInto("people")
    .values({ ...people.write(person), createdAt: now, seenAt: now, removedAt: null })
    .execute();
}

/** At an entry: what the provider says now, and what they are by it. */
export async function notePersonSeen(
  trx: WriteTransaction,
  { id, ...said }: Pick<Person, "id" | "email" | "emailVerified" | "name" | "role" | "givenRole">,
): Promise<void> {
  await trx
    .updateTable("people")
    .set({ ...people.write(said), seenAt: databaseTime(trx) })
    .where("id", "=", id)
    .execute();
}

/** Those whom a server made admins, also if they were removed. */
export async function listNamedAdmins(db: Reader): Promise<readonly Person[]> {
  const rows = await db.selectFrom("people").selectAll().where("givenRole", "is not", null).execute();
  return rows.map(people.read);
}

export async function setStanding(
  trx: WriteTransaction,
  { id, role, givenRole }: Pick<Person, "id" | "role" | "givenRole">,
): Promise<void> {
  await trx.updateTable("people").set({ role, givenRole }).where("id", "=", id).execute();
}

/** Whether they may enter. A removal waits until this transaction has ended, also that of another server. */
export async function holdPerson(trx: WriteTransaction, id: string): Promise<boolean> {
  const held = await trx
    .updateTable("people")
    .set((eb) => ({ role: eb.ref("role") }))
    .where("id", "=", id)
    .where("removedAt", "is", null)
    .returning("id")
    .executeTakeFirst();
  return held !== undefined;
}

/** Who was removed may enter again by it. */
export async function givePersonRole(
  trx: WriteTransaction,
  { id, role }: { readonly id: string; readonly role: Role },
): Promise<Person | null> {
  const row = await trx
    .updateTable("people")
    .set({ role, givenRole: null, removedAt: null })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : people.read(row);
}

/** Their browsers, tokens and sign-in codes end with it. Null if they are not there, or were removed before. */
export async function removePersonRow(trx: WriteTransaction, id: string): Promise<Person | null> {
  const row = await trx
    .updateTable("people")
    .set({ removedAt: databaseTime(trx) })
    .where("id", "=", id)
    .where("removedAt", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await trx
    .updateTable("browsers")
    .set({ signedOutAt: databaseTime(trx) })
    .where("personId", "=", id)
    .execute();
  for (const table of ["accessTokens", "signInCodes"] as const)
    await trx.deleteFrom(table).where("personId", "=", id).execute();
  return people.read(row);
}
