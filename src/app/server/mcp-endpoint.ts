/** Checks requests to MCP over HTTP (known host, no foreign page, bearer token), then passes them to their session. */
import { Hono } from "hono";
import type { Result } from "neverthrow";
import type { Connection } from "../../api/http/api-options.ts";
import { createConnectionLimit, TOO_MANY } from "../../api/http/connection-limit.ts";
import { createFailureLimit, TOO_MANY_FAILURES } from "../../api/http/failure-limit.ts";
import { refuseForeign } from "../../api/http/guards.ts";
import { type Problem, problemResponse } from "../../api/http/problem-response.ts";
import { SAFE_HEADERS } from "../../api/http/safe-headers.ts";
import { createMcpSessions, type McpPlace } from "../../mcp/http/http-sessions.ts";
import { whenRead } from "../../mcp/http/when-read.ts";
import { reportMcp } from "./make-mcp-server.ts";
import { sameToken } from "./same-token.ts";

export interface McpEndpointOptions {
  readonly token: string;
  /** Asked at every request, since a port may be known late. */
  readonly allowedHosts: () => readonly string[];
  /** The place that this address means. */
  readonly placeOf: (url: URL) => Promise<Result<McpPlace, Problem>>;
}

export interface McpEndpoint {
  /** Answers one request for `/mcp`. */
  fetch(request: Request, connection: Connection): Promise<Response>;
  sessions(): number;
  close(): Promise<void>;
}

const LIMITS = { maxSessions: 64, idleMs: 30 * 60_000 };

export function createMcpEndpoint({ token, allowedHosts, placeOf }: McpEndpointOptions): McpEndpoint {
  const sessions = createMcpSessions({ ...LIMITS, report: reportMcp });
  const connectionLimit = createConnectionLimit(() => 0);
  const failures = createFailureLimit({ now: Date.now, report: reportMcp });
  const answer = async (request: Request, address: string): Promise<Response> => {
    const foreign = refuseForeign(request, allowedHosts());
    if (foreign !== null) return problemResponse(foreign);
    const bearer = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    if (!sameToken(bearer, token))
      return unauthorized(request.headers.has("authorization") && failures.isTooMany(address));
    const place = await placeOf(new URL(request.url));
    if (place.isErr()) return problemResponse(place.error);
    return sessions.handle(request, place.value);
  };
  const app = new Hono<{ Bindings: Connection }>();
  app.use(...SAFE_HEADERS);
  app.all("*", async ({ req, env: { address = "", keepOpen, letIdle } }) => {
    const leave = connectionLimit.enter(address);
    if (leave === null) return problemResponse(TOO_MANY);
    // A call may take long, and so may the wait for the next event of a stream.
    keepOpen?.();
    const done = () => {
      leave();
      letIdle?.();
    };
    try {
      return whenRead(await answer(req.raw, address), done);
    } catch (error) {
      reportMcp(error);
      done();
      return problemResponse(INTERNAL);
    }
  });
  return {
    fetch: async (request, connection) => app.fetch(request, connection),
    sessions: sessions.count,
    close: sessions.close,
  };
}

function unauthorized(isTooOften: boolean): Response {
  const response = problemResponse(isTooOften ? TOO_MANY_FAILURES : TOKEN_NEEDED);
  response.headers.set("www-authenticate", "Bearer");
  return response;
}

const TOKEN_NEEDED: Problem = {
  kind: "unauthorized",
  code: "token_required",
  message: "A bearer token is needed.",
  remedy: "Send the one that the server was started with in the header `Authorization`, behind `Bearer`.",
};

const INTERNAL: Problem = {
  kind: "internal",
  code: "internal",
  message: "Something went wrong inside Tazuna.",
  remedy: "What it was is on the server's standard error; asking again is safe.",
};
