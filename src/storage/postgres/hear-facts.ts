/**
 * Hears of facts that other engines write: a notification wakes at once, and a look every two seconds finds what no
 * notification told. It listens on the connection that an engine has for what waits for no turn.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import type { FactsListener } from "../schema/opened-database.ts";
import type { Reader } from "../schema/schema.ts";
import { lastSeq } from "../tables/facts.ts";
import type { Channels } from "./channels.ts";
import { type Hearing, openSession } from "./listening-session.ts";

interface HearOptions extends FactsListener {
  readonly reader: Reader;
  /** Whether a connection of this engine has that number. What it wrote, its engine knows. */
  readonly isOwn: (session: number) => boolean;
  /** What else is heard on the same session. */
  readonly channels: Channels;
}

const LOOK_MS = 2_000;
/** What comes within this time is told together. */
const TOGETHER_MS = 50;
/** A notification that is later than a look by this much counts as lost. */
const LATE_MS = 100;
const AGAIN_MS = 1_000;

/** Nothing is thrown out of it: a fault is reported once, until things work again. `pool` has one connection. */
export function hearFacts(pool: Pool, options: HearOptions): { stop(): Promise<void> } {
  const { reader, isOwn, onError, channels } = options;
  const leave = new AbortController();
  const wake = gathered(() => {
    if (!leave.signal.aborted) options.onNews();
  }, onError);
  let known = 0;
  // Own facts wake their readers themselves, and these read whatever came before, too.
  const note = (seq: number, own: boolean) => {
    if (seq <= known) return;
    known = seq;
    if (!own) wake();
  };
  const looks = oncePerOutage(onError);
  const look = async () => {
    if (leave.signal.aborted) return;
    const seq = await looks(() => lastSeq(reader));
    if (seq === null || seq <= known) return;
    // Its notification may just be on its way, and says who wrote it.
    await delay(LATE_MS, undefined, { ref: false });
    note(seq, false);
  };
  const stopLooking = everySoOften(LOOK_MS, look);
  const heard = (session: number, seq: number) => note(seq, isOwn(session));
  const listening = keepListening(pool, { heard, channels, look, leave: leave.signal, onError });
  return {
    stop: async () => {
      leave.abort();
      await Promise.all([stopLooking(), listening]);
    },
  };
}

interface Listening extends Hearing {
  /** Finds what was told while nobody listened. */
  readonly look: () => Promise<void>;
  readonly leave: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Opens a session, and another one whenever it ended. */
async function keepListening(pool: Pool, listening: Listening) {
  const { look, leave, onError } = listening;
  const tries = oncePerOutage(onError);
  const left = new Promise<void>((resolve) => {
    leave.addEventListener("abort", () => resolve(), { once: true });
  });
  while (!leave.aborted) {
    const session = await tries(() => openSession(pool, listening));
    if (session !== null) {
      await look();
      await Promise.race([session.ended, left]);
      await session.close();
    }
    await Promise.race([delay(AGAIN_MS, undefined, { ref: false }), left]);
  }
}

/** Calls `act` at most once in a while, and never within the call: what is told meanwhile is told together. */
function gathered(act: () => void, onError: (error: unknown) => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      try {
        act();
      } catch (error) {
        onError(error);
      }
    }, TOGETHER_MS).unref();
  };
}

/** Runs what is asked; null if it failed. Of failures one after another only the first is reported. */
function oncePerOutage(onError: (error: unknown) => void) {
  let isOut = false;
  return async <T>(act: () => Promise<T>): Promise<T | null> => {
    try {
      const done = await act();
      isOut = false;
      return done;
    } catch (error) {
      if (!isOut) onError(error);
      isOut = true;
      return null;
    }
  };
}

/** Runs `act`, which never fails, again and again, one at a time. The result stops it, and waits for the last one. */
function everySoOften(ms: number, act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= act().finally(() => {
      running = null;
    });
  }, ms);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
