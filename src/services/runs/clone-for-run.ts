/** Clones a repository anew for its runs. They wait while that is not possible (ADR 0104). */
import { createRedactor } from "../../domain/agent/redact.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { transact } from "../../storage/transact.ts";
import type { CloneContext } from "../clones/clone-repository.ts";
import { ensureClone } from "../clones/ensure-clone.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Refusal } from "../core/refusal.ts";
import { WAITS } from "../queue/tell-waiting.ts";
import { untilStopped } from "../repositories/until-stopped.ts";
import type { RunWorld } from "../run-core/step.ts";

type ForRunContext = CloneContext & Uses<"lackingClones" | "timing" | "tokens">;

/** `lacking`: the queue lets the run try again later. `stopped`: nothing was tried to its end. */
export async function cloneForRun(
  context: ForRunContext,
  world: Pick<RunWorld, "run" | "attempt" | "repository" | "signal">,
): Promise<"there" | "cloned" | "lacking" | "stopped"> {
  const { repository, signal } = world;
  // Runs that ask at once share one clone.
  const key = `clone for a run:${repository.id}`;
  const fetch = (gone: AbortSignal) => ensureClone(context, repository, { signal: gone });
  const had = await untilStopped(signal, context.locks.fetchOnce(key, { key, fetch, signal }));
  if (had.isErr()) return lacks(context, world, had.error);
  await waitsNoMore(context, world);
  return had.value;
}

function lacks(
  { clock, lackingClones, timing, tokens }: ForRunContext,
  { run, signal }: Pick<RunWorld, "run" | "signal">,
  { message, ...why }: Pick<Refusal, "message"> & { readonly code?: string },
): "lacking" | "stopped" {
  if (signal.aborted || why.code === "clone_stopped") return "stopped";
  const began = clock.now();
  lackingClones.set(run.id, {
    began: began.toISOString(),
    until: new Date(began.getTime() + timing.cloneRetryMs).toISOString(),
    why: createRedactor({ values: tokens }).text(message),
  });
  return "lacking";
}

/** One that is prepared is in no queue, whose next look would say so. */
async function waitsNoMore(
  { db, clock, newFacts, lackingClones }: ForRunContext,
  { run, attempt: { taskId } }: Pick<RunWorld, "run" | "attempt">,
): Promise<void> {
  if (!lackingClones.delete(run.id)) return;
  const ids = { taskId, attemptId: run.attemptId, runId: run.id };
  await transact(db, (trx) => appendFact(trx, { at: clock.iso(), kind: WAITS, ...ids, data: {} }));
  newFacts.notify();
}
