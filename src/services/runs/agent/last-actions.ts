/** Stores what agents did last, for all runs of this engine in one transaction a second (ADR 0101). */

import { appendFacts } from "../../../storage/tables/facts.ts";
import { runsWritableBy } from "../../../storage/tables/run-lease.ts";
import { countWorkers } from "../../../storage/team/workers.ts";
import { transact } from "../../../storage/transact.ts";
import type { LastActions, ToldOfRun } from "../../core/context.ts";
import type { Uses } from "../../core/context-parts.ts";

type BatchContext = Uses<"db" | "clock" | "timing" | "newFacts" | "reportFault">;

/** As many workers write a batch each second. With more of them, each one writes less often. */
const WORKERS_AT_FULL_PACE = 40;

/** How often the workers are counted. */
const COUNT_MS = 60_000;

/**
 * The first news is written at once, and later ones together. Of one kind and run only the newest counts. A batch that
 * fails is reported and dropped: a fact for readers is not worth the turn.
 */
export function createLastActions(context: BatchContext): LastActions {
  const unsaid = new Map<string, ToldOfRun>();
  const pace = createPace(context);
  let timer: NodeJS.Timeout | null = null;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();
  const writeAll = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const news = [...unsaid.values()];
    unsaid.clear();
    if (news.length === 0) return;
    writtenAt = performance.now();
    await writeBatch(context, news).catch((error: unknown) => context.reportFault("following runs", error));
  };
  const write = () => {
    writing = writing.then(writeAll);
    return writing;
  };
  return {
    tell: (told) => {
      const key = `${told.fact.runId} ${told.fact.kind}`;
      // What is told last is written last.
      unsaid.delete(key);
      unsaid.set(key, told);
      timer ??= setTimeout(write, Math.max(0, writtenAt + pace() - performance.now()));
      timer.unref();
    },
    flush: async (runId) => {
      await writing;
      if ([...unsaid.values()].some(({ fact }) => fact.runId === runId)) await write();
    },
  };
}

/** Runs that another owner has, or that have ended, get nothing more. */
async function writeBatch({ db, clock, newFacts }: BatchContext, news: readonly ToldOfRun[]): Promise<void> {
  const leases = new Map(news.map(({ fact, epoch }) => [fact.runId, epoch]));
  const at = clock.iso();
  const written = await transact(db, async (trx) => {
    const ours = await runsWritableBy(trx, leases);
    const facts = news.filter(({ fact }) => ours.has(fact.runId)).map(({ fact }) => ({ at, ...fact }));
    await appendFacts(trx, facts);
    return facts.length;
  });
  if (written > 0) newFacts.notify();
}

/** The time between two batches. It reads a count of workers that is at most a minute old. */
function createPace({ db, timing, reportFault }: BatchContext): () => number {
  let workers = 1;
  let countedAt = Number.NEGATIVE_INFINITY;
  const count = () => {
    if (db.kind === "sqlite" || performance.now() - countedAt < COUNT_MS) return;
    countedAt = performance.now();
    countWorkers(db.reader).then(
      (counted) => {
        workers = counted;
      },
      (error: unknown) => reportFault("counting workers", error),
    );
  };
  return () => {
    count();
    return timing.actionFactMs * Math.max(1, workers / WORKERS_AT_FULL_PACE);
  };
}
