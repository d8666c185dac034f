/** Reports what queued runs wait for: writes a fact for each new reason, after a look at the queue. */
import type { Schedule } from "../../domain/run/scheduling.ts";
import type { Waiting } from "../../domain/run/waiting.ts";
import { notedWaiting } from "../../domain/worker/waiting-runs.ts";
import { tasksOfAttempts } from "../../storage/tables/attempts.ts";
import { appendFacts } from "../../storage/tables/facts.ts";
import { noteWaits } from "../../storage/team/waiting-runs.ts";
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

/** In few statements, however many runs: all writers wait for this. */
async function tell(context: Uses<"db" | "clock" | "newFacts">, news: Schedule["waiting"]): Promise<void> {
  const at = context.clock.iso();
  const told = news.map(({ run, waits }) => {
    const sharedLogin = run.login !== null && isNamed(run.login);
    return { run, waits, sharedLogin, noted: notedWaiting({ reason: waits.reason, sharedLogin }) };
  });
  await transact(context.db, async (trx) => {
    const tasks = await tasksOfAttempts(
      trx,
      told.map(({ run }) => run.attemptId),
    );
    await appendFacts(
      trx,
      told.map(({ run, waits, sharedLogin }) => ({
        ...{ at, kind: WAITS, taskId: tasks.get(run.attemptId) ?? null },
        ...{ attemptId: run.attemptId, runId: run.id },
        data: { ...waits, shared_login: sharedLogin },
      })),
    );
    for (const [noted, those] of Map.groupBy(told, (one) => one.noted))
      await noteWaits(
        trx,
        those.map(({ run }) => run.id),
        noted,
      );
  });
  context.newFacts.notify();
}

function isSame(before: Waiting | undefined, now: Waiting): boolean {
  return before?.reason === now.reason && before.limit === now.limit && before.until === now.until;
}
