/** Follows the two live streams of the API: the facts, and the log of a run. */
import type { z } from "zod";
import { pathFor } from "../endpoints/endpoint.ts";
import { type FactDocument, OPERATION_ENDPOINTS } from "../endpoints/operations.ts";
import { type LogLine, RUN_ENDPOINTS } from "../endpoints/runs.ts";
import { followStream, type StreamEnd } from "./follow-stream.ts";
import { type Caller, callRaw } from "./http-call.ts";

export interface FollowOptions {
  /** Everything after this number; null: from now on (facts), from the beginning (a log). */
  readonly after: number | null;
  readonly signal: AbortSignal;
  /** See `FollowStream`; no limit by default. */
  readonly retries?: number;
}

export interface FollowFacts extends FollowOptions {
  /**
   * Called each time the stream opens, with the number it goes on from. A document that is read now is not older than
   * that.
   */
  readonly onOpen: (seq: number) => void;
  readonly onFact: (fact: FactDocument) => void;
}

export interface FollowLog extends FollowOptions {
  readonly onLine: (line: LogLine) => void;
}

/** Every fact in order, none missed, until the signal or until the stream is lost. */
export function followFacts(caller: Caller, options: FollowFacts): Promise<StreamEnd> {
  const { path, answer } = OPERATION_ENDPOINTS.followFacts;
  return followStream({
    ...streamOptions(caller, path, options),
    onEvent: ({ event, id, data }) => {
      if (event === "open") options.onOpen(Number(id));
      const fact = event === "fact" ? parsed(answer, data) : null;
      if (fact !== null) options.onFact(fact);
      return undefined;
    },
  });
}

/** Every line of a run's log in order; ends with `ended` once the run has ended and all was read. */
export function followLog(caller: Caller, run: string, options: FollowLog): Promise<StreamEnd> {
  const { path, answer } = RUN_ENDPOINTS.followLog;
  return followStream({
    ...streamOptions(caller, pathFor(path, run), options),
    onEvent: ({ event, data }) => {
      if (event === "end") return "end";
      const line = event === "line" ? parsed(answer, data) : null;
      if (line !== null) options.onLine(line);
      return undefined;
    },
  });
}

function streamOptions(caller: Caller, path: string, options: FollowOptions) {
  return {
    open: (lastId: string | null, signal: AbortSignal) =>
      callRaw(caller, {
        method: "GET",
        path,
        headers: { accept: "text/event-stream", ...(lastId === null ? {} : { "last-event-id": lastId }) },
        signal,
      }),
    after: options.after === null ? null : String(options.after),
    signal: options.signal,
    retries: options.retries ?? Number.POSITIVE_INFINITY,
  };
}

/** Null if it is not such a document; another version may send one. */
function parsed<S extends z.ZodType>(schema: S, data: string): z.output<S> | null {
  try {
    return schema.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}
