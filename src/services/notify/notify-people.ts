/** Tells the webhook of the person's settings when something needs a person, and never holds up a run. */
import { setTimeout as delay } from "node:timers/promises";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { seenByRun } from "../../domain/attempt/seen-by-run.ts";
import {
  NEED_KINDS,
  type NeedEvent,
  type Notification,
  needOf,
  reasonOf,
} from "../../domain/notification/need.ts";
import type { Fact } from "../../domain/operation.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { factsAfter, lastSeq } from "../../storage/tables/facts.ts";
import { questionsOfRun } from "../../storage/tables/questions.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { getTask } from "../../storage/tables/tasks.ts";
import { createTurns } from "../../utils/locks/turns.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Notified, readNotified, writeNotified } from "./notified.ts";
import { PATIENCE_MS, postNotification } from "./post-notification.ts";
import { forgetTurns, takeTurn } from "./take-turn.ts";

type NotifyContext = Uses<
  | "db"
  | "owner"
  | "clock"
  | "configuration"
  | "userEnv"
  | "paths"
  | "newFacts"
  | "engineStop"
  | "timing"
  | "reportFault"
>;

/** What a person did not hear of for so long is no news any more: they see it in the list. */
const MAX_AGE_MS = 24 * 3_600_000;
/** Facts that are read at once. */
const PAGE = 500;
/** Between two looks. Each engine of a team hears of each fact, and a person is told soon enough. */
const PAUSE_MS = 500;
/** Notifications that are tried at once. Further ones wait, and the facts with them. */
const MAX_OPEN = 16;

interface NotifyOptions {
  /** The address of an attempt's page. */
  readonly pageOf: (attemptId: string) => string;
}

/** What was told, and what is being told, of one engine. */
interface Telling extends NotifyOptions {
  /** The number of the last fact that was looked at. */
  after: number;
  /** What is being told, by the number of its fact. */
  readonly open: Map<number, Promise<void>>;
  failed: Notified["failed"];
  /** Of several that end at once, an older state must not replace a newer one. */
  readonly inTurn: ReturnType<typeof createTurns>;
}

/**
 * Resolves when the engine stops, and all that was told is remembered. It begins where the last engine ended, or with
 * the facts that are new.
 */
export async function notifyPeople(context: NotifyContext, options: NotifyOptions): Promise<void> {
  const before = await readNotified(context);
  const last = await lastSeq(context.db.reader);
  // A database that was put back from a copy has fewer facts.
  const after = Math.min(before?.seq ?? last, last);
  const failed = before?.failed ?? null;
  const telling: Telling = { ...options, after, open: new Map(), failed, inTurn: createTurns() };
  const news = createWake(context);
  await forgetTurns(context, 2 * MAX_AGE_MS).catch((error) =>
    context.reportFault("forgetting what was told long ago", error),
  );
  if (before === null)
    await remember(context, telling).catch((error) =>
      context.reportFault("remembering what was told", error),
    );
  while (!context.engineStop.aborted) {
    const isAll = await lookOnce(context, telling).catch((error) => {
      context.reportFault("looking for what needs a person", error);
      return true;
    });
    if (!isAll) continue;
    await delay(PAUSE_MS, undefined, { signal: context.engineStop, ref: false }).catch(() => undefined);
    await news.next();
  }
  news.close();
  // Nothing may be written once the next engine works.
  await Promise.all(telling.open.values());
  await telling.inTurn(async () => undefined);
}

/** Whether all facts are looked at. */
async function lookOnce(context: NotifyContext, telling: Telling): Promise<boolean> {
  const facts = await factsAfter(context.db.reader, telling.after, PAGE, NEED_KINDS);
  for (const fact of facts) {
    const event = needOf(fact);
    if (event !== null) await begin(context, telling, { fact, event });
    telling.after = fact.seq;
  }
  return facts.length < PAGE;
}

interface Need {
  readonly fact: Fact;
  readonly event: NeedEvent;
}

async function begin(context: NotifyContext, telling: Telling, need: Need): Promise<void> {
  const { open } = telling;
  if (open.size >= MAX_OPEN) await Promise.race(open.values());
  const { seq } = need.fact;
  const told = tell(context, telling, need)
    .then(async (isOver) => {
      if (!isOver) return;
      open.delete(seq);
      await remember(context, telling);
    })
    .catch((error) => context.reportFault(`the notification of fact ${seq}`, error))
    .finally(() => open.delete(seq));
  open.set(seq, told);
}

/** Everything before the oldest fact that is being told is told. */
function remember(context: NotifyContext, telling: Telling): Promise<void> {
  return telling.inTurn(async () => {
    const { open, after, failed } = telling;
    const seq = open.size === 0 ? after : Math.min(after, ...open.keys()) - 1;
    await writeNotified(context, { seq: Math.max(0, seq), failed });
  });
}

/** False if the engine stopped meanwhile: the next one tells it. */
async function tell(context: NotifyContext, telling: Telling, need: Need): Promise<boolean> {
  const waits = [...context.timing.notifyMs];
  for (let wait = 0; ; ) {
    await delay(wait, undefined, { signal: context.engineStop, ref: false }).catch(() => undefined);
    if (context.engineStop.aborted) return false;
    // Looked up for each try: a person may have seen to it meanwhile.
    const notification = await notificationOf(context, telling, need);
    if (notification === null) return true;
    const forMs = 2 * PATIENCE_MS + (waits[0] ?? 0);
    const { go, end } = await takeTurn(context, { seq: need.fact.seq, forMs });
    if (go === "over") return true;
    if (go !== "tell") {
      wait = go.againMs;
      continue;
    }
    const isOver = await tryOnce(context, telling, notification);
    if (!isOver && context.engineStop.aborted) return false;
    const next = isOver ? undefined : waits.shift();
    if (next === undefined) {
      await end();
      return true;
    }
    wait = next;
  }
}

/** Whether it is told, or nobody is to be told. */
async function tryOnce(
  context: NotifyContext,
  telling: Telling,
  notification: Notification,
): Promise<boolean> {
  const posted = await postNotification(context, notification);
  if (posted === "off") return true;
  telling.failed = posted === "told" ? null : { at: context.clock.iso(), why: posted.failed };
  if (posted !== "told") await remember(context, telling);
  return posted === "told";
}

/** Null if it needs a person no more, or if it is too old. */
async function notificationOf(
  { db, clock }: NotifyContext,
  { pageOf }: Telling,
  { fact, event }: Need,
): Promise<Notification | null> {
  const { at, attemptId, runId, data } = fact;
  if (attemptId === null || runId === null || clock.now().getTime() - Date.parse(at) > MAX_AGE_MS)
    return null;
  const attempt = await getAttempt(db.reader, attemptId);
  const runs = await runsOfAttempt(db.reader, attemptId);
  const run = runs.find(({ id }) => id === runId);
  const task = attempt === null ? null : await getTask(db.reader, attempt.taskId);
  if (attempt === null || run === undefined || task === null) return null;
  // Held follow-ups wait for the person too, and a review is no work of the attempt.
  const work = run.kind === "review" ? runs : workOf(runs);
  const asked = (await questionsOfRun(db.reader, runId)).find(({ id }) => id === data.question);
  const reason = reasonOf(event, {
    agent: seenByRun(attempt, run).agent,
    run,
    isLatest: work.findLast(({ held }) => !held)?.id === runId && attempt.state === "open",
    holds: task.publish === "hold",
    asks: asked?.closed === null ? asked.source : null,
  });
  return reason === null
    ? null
    : { event, at, reason, task: task.id, attempt: attemptId, run: runId, url: pageOf(attemptId) };
}

/** `next` resolves once there may be new facts since its last call, or when the engine stops. */
function createWake({ newFacts, engineStop }: NotifyContext) {
  let [isNew, wake] = [false, () => {}];
  const note = () => {
    isNew = true;
    wake();
  };
  const unsubscribe = newFacts.subscribe(note);
  engineStop.addEventListener("abort", note, { once: true });
  return {
    next: async () => {
      if (!isNew)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      isNew = false;
    },
    close: unsubscribe,
  };
}
