/** Lets a run that waits for its provider's limit try once at once, although its login is held. */
import { err, ok, type Result } from "neverthrow";
import { isParked } from "../../domain/run/waiting.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { updateRun } from "../../storage/tables/run-moves.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import type { ResolvedId } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { type TeamContext, tellDrivers } from "../placing/tell-worker.ts";

/** Of an attempt, the run that waits. Other runs of the login stay held: if the limit still holds, one answer says so. */
export async function resumeFound(
  context: Uses<"clock" | "actor" | "newFacts" | "dispatcher"> & TeamContext,
  { type, id }: ResolvedId,
): Promise<Result<void, Refusal>> {
  if (type === "task") return err(notFound("run", id));
  const runs = type === "run" ? [] : await runsOfAttempt(context.db.reader, id);
  const wanted = type === "run" ? id : (runs.find(({ phase }) => phase === "waiting") ?? runs.at(-1))?.id;
  if (wanted === undefined) return err(notFound("run", id));
  const at = context.clock.iso();
  const resumed = await transact(context.db, async (trx) => {
    const run = await getRun(trx, wanted);
    if (run === null || run.phase !== "waiting" || run.resumeAt === null || isParked(run)) return false;
    const set = { resumeAt: at, options: { ...run.options, triesNow: true as const } };
    await updateRun(trx, { id: run.id, expect: { epoch: null }, set });
    const ids = { taskId: null, attemptId: run.attemptId, runId: run.id };
    const data = { until: run.resumeAt, actor: context.actor };
    await appendFact(trx, { at, kind: "run.resume_asked", ...ids, data });
    await tellDrivers(context, trx, [run.id]);
    return true;
  });
  if (!resumed) return err(notWaiting(wanted));
  context.newFacts.notify();
  context.dispatcher().poke();
  return ok(undefined);
}

function notWaiting(id: string): Refusal {
  const message = `The run ${shortId(id)} does not wait for a limit.`;
  return refuse("conflict", "run_not_limited", message, {
    remedy: `\`tazuna show ${shortId(id)}\` says what it does.`,
    details: { run: id },
  });
}
