/** Forgets that a worker could not clone what waiting runs need. */
import type { RunOptions } from "../../domain/run/run.ts";
import { runOptions, type WriteTransaction } from "../schema/schema.ts";
import { updateRun } from "../tables/run-moves.ts";

/** Whether such a run waits. What has begun meanwhile needs nothing more. */
export async function forgetUncloned(trx: WriteTransaction, worker: string): Promise<boolean> {
  const rows = await trx
    .selectFrom("runs")
    .select(["id", "options"])
    .where("status", "=", "PENDING")
    .where("phase", "=", "queued")
    .where("options", "like", `%"unclonedAt":%${worker}%`)
    .execute();
  const waiting = rows.flatMap((row) => {
    const { id, options } = runOptions.read(row);
    const { unclonedAt = [], ...mayMove } = options.mayMove ?? NOWHERE;
    if (!unclonedAt.includes(worker)) return [];
    const left = unclonedAt.filter((one) => one !== worker);
    return [{ id, options: { ...options, mayMove: { ...mayMove, unclonedAt: left } } }];
  });
  for (const { id, options } of waiting)
    await updateRun(trx, { id, expect: { epoch: null }, set: { options } });
  return waiting.length > 0;
}

const NOWHERE: NonNullable<RunOptions["mayMove"]> = { model: null, refusedBy: [] };
