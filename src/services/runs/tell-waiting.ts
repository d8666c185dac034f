/** Tells what queued runs wait for: a fact for each whose reason is new, written after a look at the queue. */
import type { Schedule } from "../../domain/run/scheduling.ts";
import type { Waiting } from "../../domain/run/waiting.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { appendFact } from "../../storage/facts.ts";
import { transact } from "../../storage/transact.ts";
import type { ServiceContext } from "../context.ts";

/** The kind of these facts; their data is a `Waiting`. */
export const WAITS = "run.waits";

/** A teller that remembers what it told: a look that finds everything as it was writes nothing. */
export function createWaitingTeller(
  context: ServiceContext,
): (waiting: Schedule["waiting"]) => Promise<void> {
  let told: ReadonlyMap<string, Waiting> = new Map();
  return async (waiting) => {
    const news = waiting.filter(({ run, waits }) => !isSame(told.get(run.id), waits));
    if (news.length > 0) await tell(context, news);
    told = new Map(waiting.map(({ run, waits }) => [run.id, waits]));
  };
}

async function tell(context: ServiceContext, news: Schedule["waiting"]): Promise<void> {
  const at = context.clock.iso();
  await transact(context.db, async (trx) => {
    for (const { run, waits } of news) {
      const attempt = await getAttempt(trx, run.attemptId);
      await appendFact(trx, {
        at,
        kind: WAITS,
        taskId: attempt?.taskId ?? null,
        attemptId: run.attemptId,
        runId: run.id,
        data: { ...waits },
      });
    }
  });
  context.bell.ring();
}

function isSame(before: Waiting | undefined, now: Waiting): boolean {
  return before?.reason === now.reason && before.limit === now.limit && before.until === now.until;
}
