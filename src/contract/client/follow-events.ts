/** Follows the live streams of the API: the facts, the log of a run, and a terminal. */
import { pathFor } from "../endpoints/endpoint.ts";
import type { FactDocument } from "../endpoints/operations.ts";
import { ROUTES } from "../endpoints/routes.ts";
import type { LogLine, SentLog } from "../endpoints/runs.ts";
import type { ApiError } from "../problem.ts";
import { followStream, type StreamEnd } from "./follow-stream.ts";
import { type Caller, callRaw, documentOfAnswer } from "./http-call.ts";

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
  /**
   * Called instead of `onOpen` if the facts after `after` are not sent: they are too many, or that number is from
   * another database. Everything is to be read again; the stream goes on from `seq`. Absent: `onOpen` is called.
   */
  readonly onReset?: (seq: number) => void;
}

export interface FollowLog extends FollowOptions {
  readonly onLine: (line: LogLine) => void;
  /** Called for a log that another worker wrote, at first and whenever it changes how much of it is known. */
  readonly onSent?: (sent: SentLog) => void;
}

export interface FollowTerminal {
  readonly signal: AbortSignal;
  /** The next bytes are asked for when it settles. */
  readonly onOutput: (bytes: Uint8Array<ArrayBuffer>) => Promise<void> | undefined;
}

/** Every fact in order, none missed, until the signal or until the stream is lost. */
export function followFacts(caller: Caller, options: FollowFacts): Promise<StreamEnd> {
  return followStream({
    ...streamOptions(caller, ROUTES.followFacts.path, options),
    onEvent: async ({ event, id, data }) => {
      if (event === "open") options.onOpen(Number(id));
      if (event === "reset") (options.onReset ?? options.onOpen)(Number(id));
      const fact = event === "fact" ? await documentOfAnswer(caller, "followFacts", parsed(data)) : null;
      if (fact !== null) options.onFact(fact);
      return undefined;
    },
  });
}

/** Every line of a run's log in order; ends with `ended` once the run has ended and all was read. */
export function followLog(caller: Caller, run: string, options: FollowLog): Promise<StreamEnd> {
  const take = async (data: string) => {
    const line = await documentOfAnswer(caller, "followLog", parsed(data));
    if (line !== null) options.onLine(line);
    return undefined;
  };
  const takeSent = async (data: string) => {
    const page = await documentOfAnswer(caller, "log", parsed(data));
    if (page?.sent) options.onSent?.(page.sent);
    return undefined;
  };
  return followStream({
    ...streamOptions(caller, pathFor(ROUTES.followLog.path, run), options),
    onEvent: ({ event, data }) => {
      if (event === "end") return "end";
      if (event === "sent") return takeSent(data);
      return event === "line" ? take(data) : undefined;
    },
  });
}

/**
 * What a terminal shows, from its beginning on. Ends with `ended` once its shell has ended, and with `lost` if another
 * reader came or the terminal is gone.
 */
export async function followTerminal(
  caller: Caller,
  id: string,
  options: FollowTerminal,
): Promise<StreamEnd> {
  const { signal, onOutput } = options;
  let isReplaced = false;
  const take = async (data: string) => {
    const piece = await documentOfAnswer(caller, "followTerminal", parsed(data));
    if (piece !== null) await onOutput(Uint8Array.from(atob(piece.data), (letter) => letter.charCodeAt(0)));
    return undefined;
  };
  const end = await followStream({
    ...streamOptions(caller, pathFor(ROUTES.followTerminal.path, id), { after: null, signal }),
    onEvent: ({ event, data }) => {
      isReplaced = event === "replaced";
      if (isReplaced || event === "end") return "end";
      return event === "output" ? take(data) : undefined;
    },
  });
  return isReplaced ? { reason: "lost", lastId: end.lastId, error: REPLACED } : end;
}

/** If both opened it again and again, each would take it from the other. */
const REPLACED: ApiError = {
  kind: "not_found",
  code: "no_such_terminal",
  message: "Another reader took this terminal over.",
  remedy: "Open another terminal in the attempt.",
  details: {},
};

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

/** Null if it is no JSON. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
