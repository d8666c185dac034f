/**
 * Stores what workers ask each other. Nothing of it is a fact, so that it waits in no queue of writers. All times are those
 * of the database.
 */
import { sql } from "kysely";
import type { Asked, AskedAnswer } from "../../domain/worker/asked.ts";
import { databaseTime } from "../schema/database-time.ts";
import { isPostgres } from "../schema/kind-of.ts";
import type { Database } from "../schema/opened-database.ts";
import { type OpenTransaction, type Reader, requests } from "../schema/schema.ts";

/** What nobody fetched is deleted after this time. */
const FORGET_MS = 300_000;

/** Stores a request together with what `tell` writes. */
export async function insertRequest(
  { writes }: Database,
  asked: Pick<Asked, "id" | "workerId" | "askedBy" | "call">,
  tell: (trx: OpenTransaction) => Promise<void>,
): Promise<void> {
  await writes.aside.transaction().execute(async (trx) => {
    await trx.deleteFrom("requests").where("createdAt", "<", databaseTime(trx, -FORGET_MS)).execute();
    await trx
      .insertInto("requests")
      .values({
        ...requests.write(asked),
        createdAt: databaseTime(trx),
        takenAt: null,
        answeredAt: null,
        answer: null,
      })
      .execute();
    await tell(trx);
  });
}

/** From then on it is carried out. Null if that is not to be: it was withdrawn, taken before, or is older than `withinMs`. */
export async function takeRequest(
  { writes: { aside } }: Database,
  { id, worker, withinMs }: { readonly id: string; readonly worker: string; readonly withinMs: number },
): Promise<Asked | null> {
  const row = await aside
    .updateTable("requests")
    .set({ takenAt: databaseTime(aside) })
    .where("id", "=", id)
    .where("workerId", "=", worker)
    .where("takenAt", "is", null)
    .where("createdAt", ">=", databaseTime(aside, -withinMs))
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : requests.read(row);
}

/** From then on nobody takes it. False if it was taken before. */
export async function withdrawRequest({ writes: { aside } }: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await aside
    .deleteFrom("requests")
    .where("id", "=", id)
    .where("takenAt", "is", null)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** On a Postgres the same statement tells it to whoever asked. */
export async function answerRequest(
  { writes: { aside } }: Database,
  { id, answer }: { readonly id: string; readonly answer: AskedAnswer },
): Promise<void> {
  await aside
    .updateTable("requests")
    .set({ ...requests.write({ answer }), answeredAt: databaseTime(aside) })
    .where("id", "=", id)
    .returning("id")
    .$if(isPostgres(aside), (update) => update.returning(TELL))
    .execute();
}

const CHANNEL = "'tazuna_answers_' || md5(current_schema())";
const TELL = sql`pg_notify(${sql.raw(CHANNEL)}, id)`.as("told");

/** The channel on which a Postgres tells the ids of answered requests; each schema has its own. */
export async function answerChannel(db: Reader): Promise<string> {
  const { rows } = await sql<{ name: string }>`select ${sql.raw(CHANNEL)} as name`.execute(db);
  return rows[0]?.name ?? "";
}

interface AskedNow extends Pick<Asked, "answer"> {
  readonly sinceAskedMs: number;
  /** Null before it was taken. */
  readonly sinceTakenMs: number | null;
}

/** Null if it is gone. */
export async function requestNow(db: Reader, id: string): Promise<AskedNow | null> {
  const row = await db
    .selectFrom("requests")
    .selectAll()
    .select(databaseTime(db).as("now"))
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { answer, createdAt, takenAt } = requests.read(row);
  const since = (time: string) => Date.parse(row.now) - Date.parse(time);
  return {
    answer,
    sinceAskedMs: since(createdAt),
    sinceTakenMs: takenAt === null ? null : since(takenAt),
  };
}

/** Whoever asked has the answer, or waits no more. */
export async function forgetRequest({ writes }: Database, id: string): Promise<void> {
  await writes.aside.deleteFrom("requests").where("id", "=", id).execute();
}

/** What an earlier process of this worker had begun to answer is answered by nobody. */
export async function dropTaken({ writes }: Database, worker: string): Promise<void> {
  await writes.aside
    .deleteFrom("requests")
    .where("workerId", "=", worker)
    .where("takenAt", "is not", null)
    .where("answeredAt", "is", null)
    .execute();
}
