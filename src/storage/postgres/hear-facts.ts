/**
 * Hears of facts that other engines write: a notification wakes at once, and a look every two seconds finds what no
 * notification told.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { FACT_CHANNEL } from "../schema/fact-channel.ts";
import type { FactsListener } from "../schema/opened-database.ts";
import type { Reader } from "../schema/schema.ts";
import { lastSeq } from "../tables/facts.ts";
import type { Channels } from "./channels.ts";
import { clientConfig, type PostgresTarget, STATEMENT_MS } from "./postgres-pool.ts";

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
/** So often the session is asked whether it still lives: one that was dropped without a word hears nothing. */
const PING_MS = 30_000;
const LEAVE_MS = 1_000;

/** Nothing is thrown out of it: a fault is reported once, until things work again. */
export function hearFacts(target: PostgresTarget, options: HearOptions): { stop(): Promise<void> } {
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
  const listening = keepListening(target, { heard, channels, look, leave: leave.signal, onError });
  return {
    stop: async () => {
      leave.abort();
      await Promise.all([stopLooking(), listening]);
    },
  };
}

interface Listening {
  readonly heard: (session: number, seq: number) => void;
  readonly channels: Channels;
  /** Finds what was told while nobody listened. */
  readonly look: () => Promise<void>;
  readonly leave: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Opens a session, and another one whenever it ended. */
async function keepListening(target: PostgresTarget, listening: Listening) {
  const { look, leave, onError } = listening;
  const tries = oncePerOutage(onError);
  const left = new Promise<void>((resolve) => {
    leave.addEventListener("abort", () => resolve(), { once: true });
  });
  while (!leave.aborted) {
    const session = await tries(() => openSession(target, listening));
    if (session !== null) {
      await look();
      await Promise.race([session.ended, left]);
      await session.close();
    }
    await Promise.race([delay(AGAIN_MS, undefined, { ref: false }), left]);
  }
}

interface Session {
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

async function openSession(
  target: PostgresTarget,
  { heard, channels }: Pick<Listening, "heard" | "channels">,
): Promise<Session> {
  const client = new Client({ ...clientConfig(target), query_timeout: STATEMENT_MS });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  // A broken connection must not end the process.
  client.on("error", () => resolve());
  client.on("end", () => resolve());
  let facts: string | undefined;
  client.on("notification", ({ processId, channel, payload = "" }) =>
    channel === facts ? heard(processId, Number(payload)) : channels.heard(channel, payload),
  );
  // One that does not answer would not say goodbye either.
  const end = () => {
    channels.closed(client);
    return Promise.race([client.end().catch(() => undefined), delay(LEAVE_MS, undefined, { ref: false })]);
  };
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(`select ${FACT_CHANNEL} as name`);
    facts = rows[0]?.name;
    await client.query(`listen "${facts}"`);
    await channels.opened(client);
  } catch (error) {
    await end();
    throw error;
  }
  const ping = setInterval(() => client.query("select 1").catch(() => resolve()), PING_MS);
  ping.unref();
  return {
    ended,
    close: async () => {
      clearInterval(ping);
      await end();
    },
  };
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
