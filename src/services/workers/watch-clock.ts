/** Measures this machine's clock against that of the Postgres all the time, and tells the other workers (ADR 0100). */
import { aheadMs, isFarOff, isOff } from "../../domain/worker/clock-offset.ts";
import { timeOf } from "../../storage/schema/database-time.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { type TellContext, tellClock } from "./announce.ts";

type ClockContext = TellContext & Uses<"timing" | "dispatcher" | "reportFault">;

/** A slower answer says too little of the moment at which it was made. */
const SLOWEST_MS = 2_000;

/** A smaller change is told to nobody, unless by it the clock is off, or right again. */
const NEWS_MS = 500;

/** How far our clock is ahead, in milliseconds. The first question may have to connect, and counts for nothing. Null after a slow answer. */
export async function clockAhead({ db, clock }: Uses<"db" | "clock">): Promise<number | null> {
  await timeOf(db.reader);
  const began = performance.now();
  const sentAt = clock.now().getTime();
  const theirs = Date.parse(await timeOf(db.reader));
  const receivedAt = clock.now().getTime();
  return performance.now() - began > SLOWEST_MS ? null : aheadMs({ sentAt, receivedAt, theirs });
}

/** So often within the length of a lease the clock is looked at. */
const LOOKS = 6;

/** `look` measures at once. Nothing is measured on an SQLite, whose clock is this one. */
export function watchClock(context: ClockContext): { look(): Promise<void>; stop(): void } {
  if (ownWorker(context) === null) return { look: async () => undefined, stop: () => undefined };
  let told: number | null = null;
  const look = async () => {
    const ahead = await clockAhead(context);
    if (ahead === null || !isNews(told, ahead)) return;
    await tellClock(context, ahead);
    told = ahead;
    context.dispatcher().poke();
  };
  const timer = setInterval(() => {
    look().catch((error) => context.reportFault("comparing the clock with that of the database", error));
  }, context.timing.leaseMs / LOOKS);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}

function isNews(told: number | null, now: number): boolean {
  const changed = isOff(told) !== isOff(now) || isFarOff(told) !== isFarOff(now);
  return told === null || changed || (isOff(now) && Math.abs(now - told) >= NEWS_MS);
}
