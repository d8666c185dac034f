/** Reads what runs have used since a time. */
import type { Run } from "../../domain/run/run.ts";
import { toTime } from "../schema/column-codecs.ts";
import { type Reader, runUsage } from "../schema/schema.ts";

type UsedRun = Pick<Run, "id" | "usage" | "endedAt" | "phase">;

/** The runs that were created since then. */
export async function runsSince(db: Reader, createdAt: string): Promise<UsedRun[]> {
  const rows = await db
    .selectFrom("runs")
    .select(["id", "usage", "endedAt", "phase"])
    .where("createdAt", ">=", toTime(createdAt))
    .execute();
  return rows.map(runUsage.read);
}
