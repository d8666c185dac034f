/** Reads the log of a run from its end backwards, and follows it while the run works. */

import { followLog } from "@contract/client/follow-events.ts";
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { answerOf, api, caller } from "../../../data/api.ts";
import { type LogWindow, linesBefore, PAGE_LINES, withNewer, withNext, withOlder } from "./log-window.ts";

/** Lines that arrive are shown at most ten times a second; a flood, which nobody can read, four times. */
const SHOW_MS = 100;
const FLOOD_MS = 250;
/** So many lines at once are a flood. */
const FLOOD_LINES = 200;

export const logQuery = (run: string) =>
  queryOptions({
    queryKey: ["log", run],
    queryFn: async (): Promise<LogWindow> => {
      const page = await answerOf(api.log(run, { tail: PAGE_LINES, limit: PAGE_LINES }));
      return { lines: page.lines, isAtEnd: true, isOver: page.ended, sent: page.sent };
    },
    // Lines never change, so thousands of them need no comparison.
    structuralSharing: false,
    // A long log is let go of soon after its screen is left.
    gcTime: 30_000,
  });

type Where = "older" | "newer";

/** For each run that is being read: what is read, and what was asked for meanwhile. */
const reading = new Map<string, { readonly now: Where; next: Where | null }>();

/** Reads the page before the window, or the one after it; one at a time for each run. */
export async function readMore(client: QueryClient, run: string, where: Where): Promise<void> {
  const { queryKey } = logQuery(run);
  const held = client.getQueryData(queryKey);
  const busy = reading.get(run);
  // A person who turns round is not made to push twice.
  if (busy !== undefined) busy.next = where === busy.now ? null : where;
  if (held === undefined || busy !== undefined) return;
  const mine = { now: where, next: null as Where | null };
  reading.set(run, mine);
  const step = where === "older" ? olderThan(run, held) : newerThan(run, held);
  const change = await step.catch(() => null);
  reading.delete(run);
  if (change !== null) client.setQueryData(queryKey, (now) => (now === undefined ? now : change(now)));
  if (mine.next !== null) await readMore(client, run, mine.next);
}

/** Puts the window around a line. */
export async function readAround(client: QueryClient, run: string, line: number): Promise<void> {
  const after = Math.max(0, line - PAGE_LINES / 2);
  const page = await answerOf(api.log(run, { after, limit: PAGE_LINES }));
  const isAtEnd = page.next >= page.total;
  client.setQueryData(logQuery(run).queryKey, {
    ...{ lines: page.lines, isAtEnd, isOver: page.ended },
    sent: page.sent,
  });
}

type Change = (now: LogWindow) => LogWindow;

async function olderThan(run: string, held: LogWindow): Promise<Change> {
  const before = linesBefore(held);
  const after = Math.max(0, before - PAGE_LINES);
  if (before === 0) return (now) => now;
  const page = await answerOf(api.log(run, { after, limit: before - after }));
  return (now) => withOlder(now, page.lines);
}

async function newerThan(run: string, held: LogWindow): Promise<Change> {
  const after = held.lines.at(-1)?.n ?? 0;
  const page = await answerOf(api.log(run, { after, limit: PAGE_LINES }));
  const isLast = page.ended || page.lines.length < PAGE_LINES;
  return (now) => withNext(now, { lines: page.lines, isLast, isOver: page.ended });
}

/** Adds the lines of a working run as they come. Nobody looks at a hidden tab, so it gives its connection back. */
export function useLiveLog(run: string | null, { isFollowed }: { readonly isFollowed: boolean }): void {
  const client = useQueryClient();
  const isSeen = useIsSeen();
  const followed = useRef(isFollowed);
  followed.current = isFollowed;
  useEffect(() => {
    if (run === null || !isSeen) return;
    return followRun(client, run, () => followed.current);
  }, [client, run, isSeen]);
}

/** Returns what ends it. */
function followRun(client: QueryClient, run: string, isFollowed: () => boolean): () => void {
  const { queryKey } = logQuery(run);
  const leave = new AbortController();
  let arrived: LogWindow["lines"][number][] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = SHOW_MS;
  const change = (set: Change) =>
    client.setQueryData(queryKey, (now) => (now === undefined ? now : set(now)));
  const show = () => {
    timer = undefined;
    const lines = arrived;
    arrived = [];
    pauseMs = lines.length < FLOOD_LINES ? SHOW_MS : FLOOD_MS;
    change((now) => withNewer(now, lines, { isFollowed: isFollowed() }));
  };
  const follow = async () => {
    const held = await client.ensureQueryData(logQuery(run)).catch(() => null);
    if (held === null || held.isOver || leave.signal.aborted) return;
    const end = await followLog(caller, run, {
      after: held.lines.at(-1)?.n ?? 0,
      signal: leave.signal,
      onLine: (line) => {
        arrived.push(line);
        timer ??= setTimeout(show, pauseMs);
      },
      onSent: (sent) => change((now) => ({ ...now, sent })),
    });
    if (end.reason !== "ended") return;
    show();
    change((now) => ({ ...now, isOver: true }));
  };
  void follow();
  return () => {
    leave.abort();
    clearTimeout(timer);
  };
}

function useIsSeen(): boolean {
  return useSyncExternalStore(
    (tell) => {
      document.addEventListener("visibilitychange", tell);
      return () => document.removeEventListener("visibilitychange", tell);
    },
    () => !document.hidden,
  );
}
