/** Ends the streams of browsers that were signed out, also if another server of the same database did it. */
import type { Services } from "../../services/core/services.ts";
import type { StreamSource } from "./live-streams.ts";

/** At most one look in so much time, for all streams together. */
const EVERY_MS = 2_000;

export interface SignOutWatch {
  /** The same stream, until this browser is signed out or its time is over. */
  guard(source: StreamSource, browser: string): StreamSource;
}

/**
 * It has no clock of its own: new facts lead to a look, since a sign-out is one, and so does each ping of a stream. A
 * database that is away signs nobody out.
 */
export function createSignOutWatch(options: {
  readonly services: Pick<Services, "stillSignedIn" | "onFacts">;
  readonly report: (error: unknown) => void;
}): SignOutWatch {
  const open = new Map<AbortController, string>();
  let unsubscribe: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;

  const look = async () => {
    timer = null;
    lookedAt = performance.now();
    const browsers = [...new Set(open.values())];
    if (browsers.length === 0) return;
    const signedIn = await options.services.stillSignedIn(browsers);
    for (const [end, browser] of open) if (browsers.includes(browser) && !signedIn.has(browser)) end.abort();
  };
  const lookSoon = () => {
    const wait = Math.max(0, lookedAt + EVERY_MS - performance.now());
    timer ??= setTimeout(() => void look().catch(options.report), wait);
  };
  const enter = (browser: string, left: AbortSignal): AbortSignal => {
    const end = new AbortController();
    open.set(end, browser);
    unsubscribe ??= options.services.onFacts(lookSoon);
    left.addEventListener("abort", () => {
      open.delete(end);
      if (open.size > 0) return;
      unsubscribe?.();
      unsubscribe = null;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    });
    return AbortSignal.any([left, end.signal]);
  };

  return {
    guard(source, browser) {
      let until: AbortSignal | null = null;
      return {
        next(left) {
          until ??= enter(browser, left);
          lookSoon();
          return until.aborted ? Promise.resolve(null) : source.next(until);
        },
      };
    },
  };
}
