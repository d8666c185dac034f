/** Stores facts: changes, numbered in the order in which they became visible to every reader. */
import { z } from "zod";
import type { Fact } from "../../domain/operation.ts";
import { jsonColumn, jsonObject, rowReader, timeColumn, toJson, toTime } from "../schema/row.ts";
import type { Reader, WriteTransaction } from "../schema/schema.ts";

/** Returns the fact's number. The fact is written in the transaction that makes it true. */
export async function appendFact(trx: WriteTransaction, fact: Omit<Fact, "seq">): Promise<number> {
  const { seq } = await trx
    .insertInto("facts")
    .values({
      at: toTime(fact.at),
      kind: fact.kind,
      task_id: fact.taskId,
      attempt_id: fact.attemptId,
      run_id: fact.runId,
      data: toJson(fact.data),
    })
    .returning("seq")
    .executeTakeFirstOrThrow();
  return seq;
}

/** At most `limit` facts with a higher number, in order. No fact with a lower number can appear later. */
export async function factsAfter(db: Reader, seq: number, limit: number): Promise<Fact[]> {
  const rows = await db
    .selectFrom("facts")
    .selectAll()
    .where("seq", ">", seq)
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(toFact);
}

/** The latest fact of one kind for each of these runs, by the run's id; runs without one are left out. */
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
        .where("run_id", "in", query.runIds)
        .groupBy("run_id"),
    )
    .execute();
  return new Map(rows.map(toFact).map((fact) => [fact.runId ?? "", fact]));
}

/** The number of the latest fact; 0 if there is none. */
export async function lastSeq(db: Reader): Promise<number> {
  const row = await db
    .selectFrom("facts")
    .select((eb) => eb.fn.max("seq").as("seq"))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

const toFact = rowReader<Fact>({
  table: "facts",
  id: (row) => String(row.seq),
  schema: z
    .object({
      seq: z.number().int(),
      at: timeColumn,
      kind: z.string(),
      task_id: z.string().nullable(),
      attempt_id: z.string().nullable(),
      run_id: z.string().nullable(),
      data: jsonColumn(jsonObject),
    })
    .transform(({ task_id, attempt_id, run_id, ...row }) => ({
      ...row,
      taskId: task_id,
      attemptId: attempt_id,
      runId: run_id,
    })),
});
