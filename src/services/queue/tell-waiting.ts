/** Reports what queued runs wait for: writes a fact for each new reason, after a look at the queue. */
import type { Schedule } from "../../domain/run/scheduling.ts";
import type { Waiting } from "../../domain/run/waiting.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { transact } from "../../storage/transact.ts";
import { isNamed } from "../agents/login-of.ts";
import type { Uses } from "../core/context-parts.ts";

/**
 * The kind of these facts. Their data is a `Waiting`, and whether all workers share the login of the run. It is empty if
 * the run waits for nothing any more.
 */
export const WAITS = "run.waits";

/** Remembers what it reported: a look without changes writes nothing. */
export function createWaitingTeller(
  context: Uses<"db" | "clock" | "newFacts">,
): (waiting: Schedule["waiting"]) => Promise<void> {
  let announced: ReadonlyMap<string, Waiting> = new Map();
  return async (waiting) => {
    const news = waiting.filter(({ run, waits }) => !isSame(announced.get(run.id), waits));
    if (news.length > 0) await tell(context, news);
    announced = new Map(waiting.map(({ run, waits }) => [run.id, waits]));
  };
}

async function tell(context: Uses<"db" | "clock" | "newFacts">, news: Schedule["waiting"]): Promise<void> {
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
        data: { ...waits, shared_login: run.login !== null && isNamed(run.login) },
      });
    }
  });
  context.newFacts.notify();
}

function isSame(before: Waiting | undefined, now: Waiting): boolean {
  return before?.reason === now.reason && before.limit === now.limit && before.until === now.until;
}
