/** Follows a live stream, reopens it after a break, and ends with a reason instead of an exception. */
import { createParser } from "eventsource-parser";
import type { Result } from "neverthrow";
import type { ApiError } from "../problem.ts";
import { pause } from "./pause.ts";

export interface StreamEvent {
  /** The last id so far, as the standard defines it; empty before the first. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** `aborted`: the caller ended it; `ended`: the server said that nothing follows; `lost`: it could not be reopened. */
export type StreamEnd =
  | { readonly reason: "aborted" | "ended"; readonly lastId: string }
  | { readonly reason: "lost"; readonly lastId: string; readonly error: ApiError };

interface FollowStream {
  /** Opens the stream after the event with this id; null means: from now on, or from the stream's own start. */
  open(lastId: string | null, signal: AbortSignal): Promise<Result<Response, ApiError>>;
  /** Takes one event; `end` says that the stream is over. A promise is awaited before the next event is read. */
  onEvent(event: StreamEvent): "end" | undefined | Promise<undefined>;
  readonly signal: AbortSignal;
  readonly after: string | null;
  /** How many attempts to open it may fail in a row before the stream counts as lost; 0 never reopens. */
  readonly retries: number;
  /** Milliseconds without a byte after which a connection counts as dead (the server pings every 15 s). */
  readonly silenceMs?: number;
}

const LOST: ApiError = {
  kind: "unreachable",
  code: "server_unreachable",
  message: "The live stream was cut off.",
  remedy: "Run the command again; the runs go on without it.",
  details: {},
};

/** Reads until the stream ends, the caller aborts, or reopening failed `retries` times in a row. */
export async function followStream(options: FollowStream): Promise<StreamEnd> {
  let lastId = options.after ?? "";
  let error = LOST;
  for (let failures = 0; failures <= options.retries; failures += 1) {
    if (failures > 0) await pause(Math.min(5000, 100 * 2 ** failures), options.signal);
    if (options.signal.aborted) return { reason: "aborted", lastId };
    const opened = await options.open(lastId === "" ? null : lastId, options.signal);
    if (opened.isErr()) {
      if (!passes(opened.error) && !options.signal.aborted)
        return { reason: "lost", lastId, error: opened.error };
      error = opened.error;
      continue;
    }
    const end = await readAll(opened.value, { ...options, after: lastId }, (event) => {
      failures = 0;
      lastId = event.id;
    });
    if (end === "ended") return { reason: "ended", lastId };
    error = LOST;
  }
  return options.signal.aborted ? { reason: "aborted", lastId } : { reason: "lost", lastId, error };
}

/** Whether the failure may pass soon: the server comes back, other readers leave. */
function passes({ kind, code }: ApiError): boolean {
  return kind === "unreachable" || code === "too_many_connections";
}

async function readAll(
  response: Response,
  options: FollowStream,
  seen: (event: StreamEvent) => void,
): Promise<"ended" | "cut"> {
  const body = response.body?.getReader();
  if (body === undefined) return "cut";
  const silence = options.silenceMs ?? 45_000;
  const reader = createEventReader(options.after ?? "");
  const decoder = new TextDecoder();
  try {
    for (;;) {
      // A body that breaks off rejects the read; the earlier parts still count.
      const chunk = await within(
        silence,
        body.read().catch(() => null),
      );
      if (chunk === null || chunk.done || options.signal.aborted) return "cut";
      for (const event of reader.feed(decoder.decode(chunk.value, { stream: true }))) {
        const verdict = await options.onEvent(event);
        seen(event);
        if (verdict === "end") return "ended";
      }
    }
  } finally {
    body.cancel().catch(() => undefined);
  }
}

/** Takes text in pieces and gives whole events. An event without an id has that of the one before it. */
function createEventReader(lastId: string) {
  let id = lastId;
  let events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: (each) => {
      id = each.id ?? id;
      events.push({ id, event: each.event ?? "message", data: each.data });
    },
  });
  return {
    feed(text: string): readonly StreamEvent[] {
      parser.feed(text);
      const complete = events;
      events = [];
      return complete;
    },
  };
}

/** The value of the promise, or null after `ms`. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
