/** Waits for the first reason to stop an agent: the server, a signal, a time limit, silence, a full disk, a lost lease. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { watchFiles } from "../utils/files/file-changes.ts";
import { MAX_TIMER_MS } from "../utils/time/waiting.ts";
import {
  KEEPER_FILES,
  type KeeperReason,
  type KeeperRecord,
  type KeeperSpec,
  parseStopRequest,
} from "./files.ts";
import { FENCED, watchLease } from "./lease-deadline.ts";
import { createTimeLimit } from "./time-limit.ts";

/** Why the agent must stop, and how long it may take. */
export interface StopCause {
  readonly reason: Exclude<KeeperReason, "exited" | "spawn_failed" | "not_held">;
  /** A whole sentence. */
  readonly message: string;
  readonly graceMs: number;
}

export interface StopCauses {
  /** Settles with the first cause. It never settles if the agent ends first. */
  readonly first: Promise<StopCause>;
  /** The cause not to start an agent now; null if there is none. */
  now(): StopCause | null;
  /** Starts, once, to watch for the server's request, the time limit, silence and the lease. */
  start(): void;
  /** Reports a sign of life. When the agent is silent, its number of running tools is read. */
  sawLife(activity: { readonly toolsRunning: number }): void;
  diskFull(message: string): void;
  close(): void;
}

const POLL_MS = 1000;

/**
 * Handles signals from now on. The rest begins with the agent, or with a program that is started for it. The agent
 * does not wait for this: Bun takes long to set up a watch.
 */
export function watchForStop(
  dir: string,
  spec: Pick<KeeperSpec, "run" | "leaseFile" | "timeoutMs" | "stallMs" | "graceMs">,
  { bootId }: Pick<KeeperRecord, "bootId">,
): StopCauses {
  const { promise: first, resolve } = Promise.withResolvers<StopCause>();
  const stop = (reason: StopCause["reason"], message: string, graceMs = spec.graceMs) =>
    resolve({ reason, message, graceMs });
  const onSignal = (signal: string) => stop("stopped", `The agent's keeper was told to end (${signal}).`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);

  const closed = new AbortController();
  const clock = createStallClock(spec.stallMs, (ms) =>
    stop("stalled", `The agent said nothing for ${seconds(ms)}.`),
  );
  const limit = createTimeLimit(spec.timeoutMs, (ms) =>
    stop("timed_out", `The agent took longer than ${seconds(ms)}.`),
  );
  const lease = watchLease({ file: spec.leaseFile, run: spec.run, bootId }, () =>
    stop(FENCED.reason, FENCED.message),
  );
  let begun = false;
  const onAsks = (asks: boolean) => {
    clock.pause(asks);
    limit.pause(asks);
  };

  return {
    first,
    now: () => (lease.isOver() ? { ...FENCED, graceMs: spec.graceMs } : null),
    start: () => {
      if (begun) return;
      begun = true;
      clock.begin();
      limit.begin();
      lease.begin();
      void watchServer(dir, { graceMs: spec.graceMs, closed: closed.signal, onAsks }).then((graceMs) => {
        if (graceMs !== null) stop("stopped", "The agent was stopped on request.", graceMs);
      });
    },
    sawLife: clock.sawLife,
    diskFull: (message) => stop("disk_full", message),
    close: () => {
      closed.abort();
      clock.stop();
      limit.stop();
      lease.stop();
    },
  };
}

/**
 * The grace time that the `stop` file requests; null if `closed` comes first. Until then it tells when the server
 * begins and ends to ask a person.
 */
async function watchServer(
  dir: string,
  options: {
    readonly graceMs: number;
    readonly closed: AbortSignal;
    readonly onAsks: (asks: boolean) => void;
  },
): Promise<number | null> {
  const { graceMs, closed, onAsks } = options;
  const files = [KEEPER_FILES.stop, KEEPER_FILES.asks];
  const changes = watchFiles({ folder: dir, files, pollMs: POLL_MS, signals: [closed] });
  let asked = false;
  try {
    while (!closed.aborted) {
      const asks = existsSync(join(dir, KEEPER_FILES.asks));
      if (asks !== asked) onAsks(asks);
      asked = asks;
      const text = await readFile(join(dir, KEEPER_FILES.stop), "utf8").catch(() => null);
      if (text !== null) return parseStopRequest(text)?.graceMs ?? graceMs;
      await changes.next();
    }
    return null;
  } finally {
    changes.close();
  }
}

/** Fires when there was no sign of life for `stallMs` while no tool runs. */
function createStallClock(stallMs: number | null, onStall: (ms: number) => void) {
  let heard = 0;
  let activity: { readonly toolsRunning: number } = { toolsRunning: 0 };
  let paused = false;
  let timer: NodeJS.Timeout | undefined;

  const check = (limit: number): void => {
    const left = heard + limit - performance.now();
    const idle = activity.toolsRunning === 0 && !paused;
    if (idle && left <= 0) {
      onStall(limit);
      return;
    }
    timer = setTimeout(check, Math.min(idle ? left : limit, MAX_TIMER_MS), limit);
  };

  const hear = (): void => {
    heard = performance.now();
    if (stallMs !== null && timer === undefined) check(stallMs);
  };

  return {
    /** An agent may have reported before, so the known tools are kept. */
    begin: hear,
    sawLife: (now: { readonly toolsRunning: number }): void => {
      activity = now;
      hear();
    },
    /** While a person is asked, silence means nothing. It counts anew from the answer on. */
    pause: (now: boolean): void => {
      paused = now;
      hear();
    },
    stop: () => clearTimeout(timer),
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
