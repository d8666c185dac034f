/** Streams the lines of one run's log until the run has ended and everything was sent. */
import { pause } from "../../contract/client/pause.ts";
import type { Services } from "../../services/core/services.ts";
import { eventText, PING, type StreamSource } from "./live-streams.ts";

const PAGE = 200;

/**
 * Lines carry their own number; the last event is `end`. Another process writes the log file, so this reads it again
 * and again. An event `sent` says how much is known of a log that another worker wrote. It comes at first, and whenever that
 * changes. Its data is a page without lines.
 */
export function logSource(options: {
  readonly services: Pick<Services, "log">;
  readonly run: string;
  readonly after: number;
  readonly pollMs: number;
  readonly pingMs: number;
}): StreamSource {
  const { services, run, pollMs, pingMs } = options;
  let after = options.after;
  let over = false;
  let told = "null";
  return {
    async next(signal) {
      if (over) return null;
      let silentMs = 0;
      while (!signal.aborted) {
        const page = await services.log(run, { after, limit: PAGE, tail: null, before: null, query: null });
        if (page.isErr()) return null;
        const { lines, next, ended, sent } = page.value;
        after = next;
        // Its time changes with each second. Those who follow see lines come.
        const now = JSON.stringify(sent && { ...sent, until: sent.there ? null : sent.until });
        const news = now === told ? "" : eventText("sent", after, { ...page.value, lines: [] });
        told = now;
        if (lines.length > 0 || news !== "")
          return lines.map((line) => eventText("line", line.n, line)).join("") + news;
        if (ended) {
          over = true;
          return eventText("end", after, { next: after });
        }
        if (silentMs >= pingMs) return PING;
        await pause(pollMs, signal);
        silentMs += pollMs;
      }
      return null;
    },
  };
}
