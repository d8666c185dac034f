/** Asks another worker to answer a call, and waits for its answer. Within five seconds it begins, or never (ADR 0087). */
import { err, ok } from "neverthrow";
import type { Database } from "../../storage/schema/opened-database.ts";
import {
  answerChannel,
  forgetRequest,
  insertRequest,
  requestNow,
  withdrawRequest,
} from "../../storage/team/requests.ts";
import { isAlive } from "../../storage/team/workers.ts";
import { settlesWithin } from "../../utils/time/waiting.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import type { AskedAnswer, OtherWorker } from "../core/screen-shapes.ts";
import type { Services } from "../core/services.ts";

/** Within this time a request is taken, or it is not carried out. */
export const TAKE_MS = 5_000;
/** So long its answer is waited for, once it was taken. */
const ANSWER_MS = 60_000;
/** How often it is looked at, if no notification tells of it. */
const LOOK_MS = 500;

/** One for an engine: all its calls hear of their answers on one channel. */
export function createAskHolder(context: Uses<"db" | "owner" | "team" | "newId">): Services["askWorker"] {
  const { db, owner, team, newId } = context;
  const ears = createEars(db);
  return async (worker, call, { clones } = { clones: false }) => {
    const id = newId();
    using told = await ears.of(id);
    await team().meet(worker.id);
    await insertRequest(db, { id, workerId: worker.id, askedBy: owner, call }, (trx) =>
      team().tell(trx, worker.id, { run: null, attempt: null, request: id }),
    );
    const end = await untilAnswered(db, {
      ...{ id, worker: worker.id, heard: told.next },
      answerMs: clones ? Number.POSITIVE_INFINITY : ANSWER_MS,
    });
    if (end === "withdrawn") return err(silent(worker));
    await forgetRequest(db, id);
    return end === "unknown" ? err(unknown(worker)) : ok(end);
  };
}

/**
 * The answer. `withdrawn`: nobody took it, and nobody will. `unknown`: it was taken, but its worker died or is too slow.
 */
async function untilAnswered(
  db: Database,
  asked: {
    readonly id: string;
    readonly worker: string;
    readonly heard: () => Promise<boolean>;
    readonly answerMs: number;
  },
): Promise<AskedAnswer | "withdrawn" | "unknown"> {
  const { id, worker, heard, answerMs } = asked;
  let isGone = false;
  for (;;) {
    const now = await requestNow(db.reader, id);
    if (now === null) return "unknown";
    if (now.answer !== null) return now.answer;
    const { sinceTakenMs, sinceAskedMs } = now;
    if (sinceTakenMs !== null && (isGone || sinceTakenMs >= answerMs)) return "unknown";
    // If the withdrawal comes too late, it was taken.
    if (sinceTakenMs === null && (isGone || sinceAskedMs >= TAKE_MS) && (await withdrawRequest(db, id)))
      return "withdrawn";
    // What it answered before it died is found by the next look.
    isGone = !(await heard()) && !(await isAlive(db.reader, worker));
  }
}

/** Tells of each request as soon as it is answered. A look is due after a while, since a notification may be lost. */
function createEars({ listen, reader }: Database) {
  const waiting = new Map<string, () => void>();
  let listening: Promise<unknown> | null = null;
  const begin = async () => {
    const wakeAll = () => {
      for (const wake of waiting.values()) wake();
    };
    await listen?.(await answerChannel(reader), (id) => waiting.get(id)?.(), wakeAll);
  };
  return {
    of: async (id: string) => {
      listening ??= begin().catch(() => {
        listening = null;
      });
      await listening;
      let told = Promise.withResolvers<void>();
      waiting.set(id, () => told.resolve());
      return {
        /** Whether it was told of. */
        next: async () => {
          const isTold = await settlesWithin(LOOK_MS, told.promise);
          if (isTold) told = Promise.withResolvers<void>();
          return isTold;
        },
        [Symbol.dispose]: () => void waiting.delete(id),
      };
    },
  };
}

function silent({ id, name }: OtherWorker): Refusal {
  const message = `The worker ${name}, which holds the files, did not begin within ${TAKE_MS / 1_000} seconds. Nothing was done, and nothing will be.`;
  return refuse("failed", "worker_silent", message, {
    remedy: "`tazuna workers` says who is there. Ask again once it is, or ask on its machine.",
    details: { worker: id },
  });
}

function unknown({ id, name }: OtherWorker): Refusal {
  const message = `The worker ${name}, which holds the files, began, but gave no answer. It may be done, or not.`;
  return refuse("failed", "outcome_unknown", message, {
    remedy:
      "Look before you ask again: `tazuna activity` says what was done, and `tazuna show` how the attempt stands.",
    details: { worker: id },
  });
}
