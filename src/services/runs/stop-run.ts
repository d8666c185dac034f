/** Stops a run: its worktree, branch and session stay, and the next message continues. */
import { err, ok, type Result } from "neverthrow";
import type { Run } from "../../domain/run/run.ts";
import { appendFact } from "../../storage/facts.ts";
import { requestStop } from "../../storage/run-moves.ts";
import { getRun } from "../../storage/runs.ts";
import type { WriteTransaction } from "../../storage/schema.ts";
import { transact } from "../../storage/transact.ts";
import type { ServiceContext } from "../context.ts";
import { notFound } from "../refusal.ts";
import type { Refusal } from "../services.ts";
import { cancelIdleRun } from "./cancel-idle-run.ts";

/** Saves the wish, then tells whoever drives the run; an ended run is left as it is. */
export async function stopRun(
  context: ServiceContext,
  runId: string,
): Promise<Result<"requested" | "ended", Refusal>> {
  const run = await getRun(context.db.reader, runId);
  if (run === null) return err(notFound("run", runId));
  const result = await transact(context.db, (trx) => saveWish(context, trx, { run, wish: "stop" }));
  context.bell.ring();
  if (result === "ended") return ok("ended");
  context.failpoint("wish:stop");
  await carryOutWish(context, runId);
  return ok("requested");
}

/** Written in the transaction of what it belongs to; from then on the run ends, whatever becomes of this engine. */
export async function saveWish(
  context: ServiceContext,
  trx: WriteTransaction,
  of: { readonly run: Pick<Run, "id" | "attemptId">; readonly wish: "stop" | "cancel" },
): Promise<"requested" | "ended"> {
  const { run, wish } = of;
  const requested = await requestStop(trx, run.id, wish);
  if (requested === "ended") return requested;
  await appendFact(trx, {
    at: context.clock.iso(),
    kind: "run.stop_requested",
    taskId: null,
    attemptId: run.attemptId,
    runId: run.id,
    data: { wish },
  });
  return requested;
}

/** Tells the run's driver, or ends the run where nobody drives it. */
export async function carryOutWish(context: ServiceContext, runId: string): Promise<void> {
  const driver = context.driving.get(runId);
  if (driver === undefined) return cancelIdleRun(context, runId);
  driver.abort();
}
