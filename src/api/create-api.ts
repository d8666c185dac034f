/** Builds the HTTP door: guards first, then routes that each ask one service. */
import { Hono } from "hono";
import { ok } from "neverthrow";
import { emptyQuery, leaveRequest, linkRequest } from "../contract/requests.ts";
import { cleanLine } from "../contract/text.ts";
import type { Api, ApiOptions, Connection } from "./http/api-options.ts";
import { addCallerShell } from "./http/caller-shell.ts";
import { createCrowd, TOO_MANY } from "./http/crowd.ts";
import { createExchange, type Env, type Exchange } from "./http/exchange.ts";
import { callerOf, refuseForeign, refuseUnsaidOrigin, UNAUTHORIZED } from "./http/guards.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { type Problem, problemResponse } from "./http/problem-response.ts";
import { withSafeHeaders } from "./http/safe-headers.ts";
import { type BrowserSessions, createBrowserSessions, signInLink } from "./http/sign-in.ts";
import { addSettingRoutes } from "./routes/setting-routes.ts";
import { addStreamRoutes } from "./routes/stream-routes.ts";
import { addTaskRoutes } from "./routes/task-routes.ts";
import { addTrashRoutes } from "./routes/trash-routes.ts";
import { addStatusPage } from "./status/status-page.ts";
import { createLiveStreams, type LiveStreams } from "./streams/live-streams.ts";

/** One API over one set of services. */
export function createApi(options: ApiOptions): Api {
  const sessions = createBrowserSessions({ secret: options.sessionSecret, now: options.now });
  const streams = createLiveStreams(options.report);
  const crowd = createCrowd(streams.countOf);
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    const foreign = refuseForeign(c.req.raw, options.allowedHosts());
    if (foreign !== null) return problemResponse(foreign);
    await next();
  });
  app.route("/api/v1", createRoutes(options, sessions, streams));
  addStatusPage(app, options, sessions);
  app.notFound((c) => problemResponse(nothingAt(c.req.path)));
  app.onError((error) => {
    const known = options.explain(error);
    if (known !== null) return problemResponse({ ...known, kind: "failed", status: 503 });
    options.report(error);
    return problemResponse(INTERNAL);
  });
  return {
    fetch: async (request: Request, connection: Connection = {}) => {
      const { address } = connection;
      const leave = address === undefined ? () => undefined : crowd.enter(address);
      if (leave === null) return withSafeHeaders(problemResponse(TOO_MANY));
      try {
        return withSafeHeaders(await app.fetch(request, connection));
      } finally {
        leave();
      }
    },
    signInLink: (origin, { attempt } = {}) => signInLink(sessions, origin, attempt ?? null),
    openStreams: streams.count,
    close: streams.close,
  };
}

function createRoutes(options: ApiOptions, sessions: BrowserSessions, streams: LiveStreams): Hono<Env> {
  const api = new Hono<Env>();
  api.get("/health", () => Response.json({ name: "tazuna", version: options.version }));
  api.use(async (c, next) => {
    const caller = await callerOf(c.req.raw, options, sessions);
    if (caller === null) return problemResponse(UNAUTHORIZED);
    const changes = c.req.method !== "GET" && c.req.method !== "HEAD";
    const unsaid = changes ? refuseUnsaidOrigin(c.req.raw, caller) : null;
    if (unsaid !== null) return problemResponse(unsaid);
    c.set("caller", caller);
    return next();
  });
  addCallerShell(api, options.services);
  const exchange = createExchange(createIdempotency(options.idempotency));
  addTaskRoutes(api, options.services, exchange);
  addSettingRoutes(api, options.services, exchange);
  addTrashRoutes(api, options.services, exchange);
  addStreamRoutes(api, options, exchange, streams);
  addEngineRoutes(api, options, exchange);
  addLinkRoute(api, sessions, exchange);
  return api;
}

function addLinkRoute(api: Hono<Env>, sessions: BrowserSessions, { write }: Exchange): void {
  api.post("/links", (c) =>
    write(
      c,
      linkRequest,
      async ({ attempt }) => ok({ url: signInLink(sessions, new URL(c.req.url).origin, attempt) }),
      (link) => link,
    ),
  );
}

function addEngineRoutes(api: Hono<Env>, { engine }: ApiOptions, { read, write }: Exchange): void {
  const about = async () => ok(await engine.about());
  api.get("/engine", (c) => read(c, emptyQuery, about, (known) => known));
  api.post("/engine/leave", (c) =>
    write(
      c,
      leaveRequest,
      async ({ only_idle }) => ok({ leaving: await engine.leave({ onlyIdle: only_idle }) }),
      (left) => left,
    ),
  );
}

function nothingAt(path: string): Problem {
  return {
    kind: "not_found",
    code: "no_such_address",
    message: `There is nothing at ${cleanLine(path).slice(0, 200)}.`,
    remedy: "The API is below /api/v1.",
  };
}

const INTERNAL: Problem = {
  kind: "internal",
  code: "internal",
  message: "Something went wrong inside Tazuna.",
  remedy: "The details are in `server.log` in the data folder; asking again is safe.",
};
