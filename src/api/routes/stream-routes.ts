/** Adds the routes of the two live streams: facts, and the log of a run (also in pages). */
import type { Context, Hono } from "hono";
import { logQuery, streamQuery } from "../../contract/requests.ts";
import type { ApiOptions } from "../http/api-options.ts";
import type { Env, Exchange } from "../http/exchange.ts";
import { problemOfRefusal, problemResponse } from "../http/problem-response.ts";
import { parseQuery } from "../http/read-request.ts";
import { factsSource } from "../streams/facts-stream.ts";
import type { LiveStreams, StreamSource } from "../streams/live-streams.ts";
import { logSource } from "../streams/log-stream.ts";

export function addStreamRoutes(
  api: Hono<Env>,
  options: ApiOptions,
  { read }: Exchange,
  streams: LiveStreams,
): void {
  const { services, pingMs = 15_000, logPollMs: pollMs = 200 } = options;

  const stream = (c: Context<Env>, makeSource: (after: number | null) => StreamSource) => {
    const after = afterOf(c);
    if (after === "bad") return problemResponse(BAD_LAST_EVENT);
    const query = parseQuery(streamQuery, c.req.url);
    if (query.isErr()) return problemResponse(query.error);
    c.env?.keepOpen?.();
    return streams.open(makeSource(after ?? query.value.after), {
      address: c.env?.address ?? null,
      onEnd: () => c.env?.letIdle?.(),
    });
  };

  api.get("/events", (c) => stream(c, (after) => factsSource({ services, after, pingMs })));

  api.get("/runs/:id/events", async (c) => {
    const run = c.req.param("id");
    if (!wantsStream(c))
      return read(
        c,
        logQuery,
        (query) => services.log(run, query),
        (page) => page,
      );
    const known = await services.log(run, { after: 0, limit: 1, tail: null });
    if (known.isErr()) return problemResponse(problemOfRefusal(known.error));
    return stream(c, (after) => logSource({ services, run, after: after ?? 0, pollMs, pingMs }));
  });
}

/** The number of the last event that a returning reader has; it is newer than the one in the address. */
function afterOf(c: Context<Env>): number | null | "bad" {
  const last = c.req.header("last-event-id");
  if (last === undefined || last === "") return null;
  return /^\d{1,15}$/.test(last) ? Number(last) : "bad";
}

function wantsStream(c: Context<Env>): boolean {
  return (c.req.header("accept") ?? "").includes("text/event-stream");
}

const BAD_LAST_EVENT = {
  kind: "bad_request",
  code: "last_event_id",
  message: "The Last-Event-ID is not a number of ours.",
  remedy: "Send the id of the last event that was received, or none.",
} as const;
