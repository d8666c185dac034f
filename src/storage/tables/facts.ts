/** Stores facts: changes, numbered in the order in which they became visible to every reader. */
import { sql } from "kysely";
import type { Fact } from "../../domain/operation.ts";
import { FACT_CHANNEL } from "../schema/fact-channel.ts";
import { isPostgres } from "../schema/kind-of.ts";
import { facts, type Reader, type WriteTransaction } from "../schema/schema.ts";

/**
 * Returns the fact's number. The fact is written in the transaction that makes it true. With that transaction, and in
 * the same statement, a Postgres tells the fact's number to every engine.
 */
export async function appendFact(trx: WriteTransaction, fact: Omit<Fact, "seq">): Promise<number> {
  const { seq } = await trx
    .insertInto("facts")
    .values(facts.write(fact))
    .returning("seq")
    .$if(isPostgres(trx), (insert) => insert.returning(TELL))
    .executeTakeFirstOrThrow();
  return seq;
}

const TELL = sql`pg_notify(${sql.raw(FACT_CHANNEL)}, seq::text)`.as("told");

/** Several of them, in this order. Other engines are told once. */
export async function appendFacts(trx: WriteTransaction, many: readonly Omit<Fact, "seq">[]): Promise<void> {
  if (many.length === 0) return;
  const insert = trx.insertInto("facts").values(many.map((fact) => facts.write(fact)));
  if (isPostgres(trx))
    await trx
      .with("added", () => insert.returning("seq"))
      .selectFrom("added")
      .select(({ fn }) => sql`pg_notify(${sql.raw(FACT_CHANNEL)}, ${fn.max("seq")}::text)`.as("told"))
      .execute();
  else await insert.execute();
}

/**
 * At most `limit` facts with a higher number, in order. No fact with a lower number can appear later. `kinds`: only of
 * these; null for all.
 */
export async function factsAfter(
  db: Reader,
  seq: number,
  limit: number,
  kinds: readonly string[] | null = null,
): Promise<Fact[]> {
  const rows = await db
    .selectFrom("facts")
    .selectAll()
    .where("seq", ">", seq)
    .$if(kinds !== null, (select) => select.where("kind", "in", kinds ?? []))
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(facts.read);
}

/** The latest fact of one kind for each of these runs, by the run's id. Runs without one are left out. */
export async function latestFacts(
  db: Reader,
  query: { readonly kind: string; readonly runIds: readonly string[] },
): Promise<ReadonlyMap<string, Fact>> {
  if (query.runIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("facts")
    .selectAll()
    .where("seq", "in", (eb) =>
      eb
        .selectFrom("facts")
        .select(({ fn }) => fn.max("seq").as("seq"))
        .where("kind", "=", query.kind)
        .where("runId", "in", query.runIds)
        .groupBy("runId"),
    )
    .execute();
  return new Map(rows.map(facts.read).map((fact) => [fact.runId ?? "", fact]));
}

/** The number of the latest fact; 0 if there is none. */
export async function lastSeq(db: Reader): Promise<number> {
  const row = await db
    .selectFrom("facts")
    .select((eb) => eb.fn.max("seq").as("seq"))
    .executeTakeFirst();
  return row?.seq ?? 0;
}
