/** Streams all facts after a number, in order and as they are written. */
import { showing } from "../../contract/document-of.ts";
import { factFields } from "../../contract/endpoints/operations.ts";
import type { Services } from "../../services/core/services.ts";
import { eventText, PING, type StreamSource } from "./live-streams.ts";

const PAGE = 200;

const showFact = showing(factFields);

/**
 * `after` null begins with the next fact. The first event carries the number from which the stream goes on: `open`, or
 * `reset` if the facts after `after` are not sent.
 */
export function factsSource(options: {
  readonly services: Pick<Services, "facts" | "lastFact" | "onFacts">;
  readonly after: number | null;
  readonly pingMs: number;
}): StreamSource {
  const { services, pingMs } = options;
  let after = options.after;
  let opened = false;
  // Set before every look, so that a fact written during the look causes another look.
  let news = true;
  let wake = () => {};
  let unsubscribe: (() => void) | null = null;

  const subscribe = (signal: AbortSignal) => {
    unsubscribe = services.onFacts(() => {
      news = true;
      wake();
    });
    signal.addEventListener("abort", () => {
      unsubscribe?.();
      wake();
    });
  };
  /** Waits for news, until the next ping at most; true if there may be some. */
  const waitForNews = (): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), pingMs);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });

  return {
    async next(signal) {
      if (unsubscribe === null) subscribe(signal);
      if (after === null || !opened) {
        const last = (await services.lastFact()).unwrapOr(0);
        const event = isLost(after, last) ? "reset" : "open";
        after = event === "reset" || after === null ? last : after;
        opened = true;
        return eventText(event, after, { seq: after });
      }
      while (!signal.aborted) {
        if (news) {
          news = false;
          const page = await services.facts({ after, limit: PAGE });
          if (page.isErr()) return null;
          const last = page.value.at(-1);
          if (last !== undefined) {
            after = last.seq;
            news = true;
            return page.value.map((fact) => eventText("fact", fact.seq, showFact(fact))).join("");
          }
        } else if (!(await waitForNews())) return PING;
      }
      return null;
    },
  };
}

/** A reader that is further behind reads the documents again: that is less than so many facts. */
const MOST_BEHIND = 100_000;

/** A number that is higher than the last one comes from another database, such as one before a restored backup. */
function isLost(after: number | null, last: number): boolean {
  return after !== null && (after > last || last - after > MOST_BEHIND);
}
