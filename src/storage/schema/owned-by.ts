/** Selects the rows that a worker may touch (ADR 0081). */
import { type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "./schema.ts";

/** The tables whose rows name a worker. */
export type OfWorker = "attempts" | "operations" | "repositories" | "runs";

/** The condition that a row is this worker's, or nobody's. Null: every row. */
export function ownedBy(worker: string | null) {
  return (eb: ExpressionBuilder<Schema, OfWorker>) =>
    worker === null ? sql<SqlBool>`1 = 1` : eb.or([eb("workerId", "is", null), eb("workerId", "=", worker)]);
}
