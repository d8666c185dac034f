/** Changes the words of a queued run, or its place in the queue of its attempt. */
import { err, ok, type Result } from "neverthrow";
import { type FixedWords, fixedWords, movedTo, withWords } from "../../domain/run/queue.ts";
import type { Run } from "../../domain/run/run.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { updateRun } from "../../storage/tables/run-moves.ts";
import { orderRuns } from "../../storage/tables/run-queue.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";
import type { QueueChange } from "../core/request-shapes.ts";
import { type TeamContext, tellDrivers } from "../placing/tell-worker.ts";
import { type Queued, queuedRun } from "./queued-run.ts";

/** Both are changed, or neither is. The run is the one that it was. */
export async function changeQueued(
  context: Uses<"clock" | "newFacts" | "dispatcher"> & TeamContext,
  change: QueueChange,
): Promise<Result<void, Refusal>> {
  const changed = await transact(context.db, async (trx) => {
    const queued = await queuedRun(trx, change.run);
    if (queued.isErr()) return err(queued.error);
    const refusal = refuseWords(queued.value.run, change) ?? (await moved(trx, queued.value, change));
    if (refusal !== null) return err(refusal);
    await edit(trx, queued.value.run, change);
    await tell(trx, queued.value.run, { ...change, at: context.clock.iso() });
    await tellDrivers(context, trx, [change.run]);
    return ok(undefined);
  });
  context.newFacts.notify();
  context.dispatcher().poke();
  return changed;
}

async function edit(trx: WriteTransaction, run: Run, { instruction }: QueueChange): Promise<void> {
  if (instruction === null) return;
  await updateRun(trx, { id: run.id, expect: { epoch: null }, set: withWords(run, instruction.trim()) });
}

/** Why it may not stand there; null once it does. */
async function moved(
  trx: WriteTransaction,
  { run, queue }: Queued,
  { position }: QueueChange,
): Promise<Refusal | null> {
  if (position === null) return null;
  const order = movedTo(queue, run, position);
  if (order.isErr()) return noSuchPlace(run, order.error);
  await orderRuns(
    trx,
    order.value.map(({ id }) => id),
  );
  return null;
}

async function tell(
  trx: WriteTransaction,
  run: Run,
  { instruction, position, at }: QueueChange & { readonly at: string },
): Promise<void> {
  await appendFact(trx, {
    at,
    kind: "run.queue_changed",
    taskId: (await getAttempt(trx, run.attemptId))?.taskId ?? null,
    attemptId: run.attemptId,
    runId: run.id,
    data: { edited: instruction !== null, position },
  });
}

const MAX_MESSAGE = 20_000;

function refuseWords(run: Run, { instruction }: QueueChange): Refusal | null {
  if (instruction === null) return null;
  const fixed = fixedWords(run);
  if (fixed !== null) return refuse("conflict", "words_fixed", ...whyFixed(run, fixed));
  if (run.kind !== "commit" || instruction.length <= MAX_MESSAGE) return null;
  return refuse("bad_request", "message_too_long", "A commit message has at most 20000 characters.", {
    remedy: "Shorten it.",
    details: { run: run.id },
  });
}

function whyFixed(
  { id, attemptId }: Run,
  fixed: FixedWords,
): [string, { remedy: string; details: object & Refusal["details"] }] {
  const [run, attempt] = [shortId(id), shortId(attemptId)];
  const details = { run: id, attempt: attemptId };
  const instead = `\`tazuna queue ${attempt} remove ${run}\` takes it out of the queue`;
  switch (fixed) {
    case "task":
      return [
        `The run ${run} begins the attempt: its words are those of the task.`,
        { remedy: `\`tazuna continue ${attempt} "..."\` adds to them.`, details },
      ];
    case "only_publishes":
      return [
        `The run ${run} only publishes what is there: it has no words for an agent.`,
        { remedy: `${instead}.`, details },
      ];
    case "only_resolves":
      return [
        `The run ${run} only resolves conflicts: its words are not a person's.`,
        {
          remedy: `${instead}; then \`tazuna continue ${attempt} "..." --resolve\` does more than that.`,
          details,
        },
      ];
  }
}

function noSuchPlace(run: Run, { from, to }: { readonly from: number; readonly to: number }): Refusal {
  const [id, attempt] = [shortId(run.id), shortId(run.attemptId)];
  const places = from === to ? `only at place ${from}` : `at the places ${from} to ${to}`;
  const why = run.number === 1 ? "it begins the attempt" : run.held ? "it is held" : null;
  return refuse(
    "conflict",
    "no_such_position",
    `The run ${id} can stand ${places} of its queue${why === null ? "" : `: ${why}`}.`,
    {
      remedy: `\`tazuna queue ${attempt}\` shows the order.`,
      details: { run: run.id, attempt: run.attemptId, from, to },
    },
  );
}
