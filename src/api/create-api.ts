/** Builds the HTTP API: guards first, then a route for each row of the endpoint table. */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { Endpoint } from "../contract/endpoints/endpoint.ts";
import { ENDPOINTS, type EndpointName } from "../contract/endpoints/endpoints.ts";
import { cleanLine } from "../contract/text.ts";
import { accessHandlers } from "./handlers/access-handlers.ts";
import { checkHandlers } from "./handlers/check-handlers.ts";
import { commentHandlers } from "./handlers/comment-handlers.ts";
import { decisionHandlers } from "./handlers/decision-handlers.ts";
import { draftHandlers } from "./handlers/draft-handlers.ts";
import { engineHandlers } from "./handlers/engine-handlers.ts";
import { gateHandlers } from "./handlers/gate-handlers.ts";
import type { Handler, Handlers } from "./handlers/handler.ts";
import { landingHandlers } from "./handlers/landing-handlers.ts";
import { pullRequestHandlers } from "./handlers/pull-request-handlers.ts";
import { repositoryHandlers } from "./handlers/repository-handlers.ts";
import { runHandlers } from "./handlers/run-handlers.ts";
import { serveEndpoint } from "./handlers/serve-endpoint.ts";
import { attemptHandlers, taskHandlers } from "./handlers/task-handlers.ts";
import { terminalHandlers } from "./handlers/terminal-handlers.ts";
import { operationHandlers, trashHandlers } from "./handlers/tidy-handlers.ts";
import { viewedHandlers } from "./handlers/viewed-handlers.ts";
import { setActor } from "./http/actor.ts";
import type { Api, ApiOptions } from "./http/api-options.ts";
import { addCallerShell } from "./http/caller-shell.ts";
import { createConnectionLimit, TOO_MANY } from "./http/connection-limit.ts";
import { createEntryLimit } from "./http/entry-limit.ts";
import { addEntries } from "./http/entry-pages.ts";
import {
  createFailureLimit,
  type FailureLimit,
  limitRefusals,
  TOO_MANY_FAILURES,
} from "./http/failure-limit.ts";
import { callerOf, refuseForeign, refuseUnsaidOrigin, UNAUTHORIZED } from "./http/guards.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { type Problem, problemResponse } from "./http/problem-response.ts";
import type { Env } from "./http/request-context.ts";
import { SAFE_HEADERS } from "./http/safe-headers.ts";
import { tokenExpired } from "./http/scope-guard.ts";
import { createSignedInBrowsers, type SignedInBrowsers, signInLink } from "./http/sign-in.ts";
import { addSignIn } from "./http/sign-in-pages.ts";
import { addWebApp } from "./http/web-app.ts";
import { createLiveStreams, type LiveStreams } from "./streams/live-streams.ts";
import { createSignOutWatch } from "./streams/sign-out-watch.ts";

/** One API over one set of services. */
export function createApi(options: ApiOptions): Api {
  const browsers = createSignedInBrowsers(options.services);
  const streams = createLiveStreams(options.report);
  const failures = createFailureLimit(options);
  const app = new Hono<Env>();
  app.use(...SAFE_HEADERS);
  app.use(limitCrowd(streams.countOf));
  app.use(async (c, next) => {
    const foreign = c.env.asked === undefined ? refuseForeign(c.req.raw, options.allowedHosts()) : null;
    if (foreign !== null) return problemResponse(foreign);
    if (c.env.asked !== undefined && !c.req.path.startsWith(`${API}/`)) return c.notFound();
    await next();
  });
  app.route(API, createRoutes(options, { browsers, streams, failures }));
  addSignIn(app, { browsers, failures });
  const { identity = null } = options;
  if (identity !== null)
    addEntries(app, { ...options, identity, browsers, failures, entries: createEntryLimit(options) });
  addWebApp(app, options.web);
  app.notFound((c) => problemResponse(nothingAt(c.req.path)));
  app.onError((error) => {
    const known = options.explain(error);
    if (known !== null) return problemResponse({ ...known, kind: "failed", status: 503 });
    options.report(error);
    return problemResponse(INTERNAL);
  });
  return {
    fetch: async (request, connection = {}) => app.fetch(request, connection),
    signInLink: async (origin, { attempt } = {}) =>
      (await signInLink(options.services, origin, { attempt: attempt ?? null, by: null })).url,
    openStreams: streams.count,
    close: streams.close,
  };
}

/** Refuses a request if its address has too many under way. */
function limitCrowd(streamsOf: (address: string) => number): MiddlewareHandler<Env> {
  const connectionLimit = createConnectionLimit(streamsOf);
  return async ({ env: { address } }, next) => {
    if (address === undefined) return next();
    const leave = connectionLimit.enter(address);
    if (leave === null) return problemResponse(TOO_MANY);
    return next().finally(leave);
  };
}

const API = "/api/v1";

interface Shared {
  readonly browsers: SignedInBrowsers;
  readonly streams: LiveStreams;
  readonly failures: FailureLimit;
}

function createRoutes(options: ApiOptions, { browsers, streams, failures }: Shared): Hono<Env> {
  const api = new Hono<Env>();
  const handlers: Handlers<typeof ENDPOINTS> = {
    ...engineHandlers(options),
    ...accessHandlers(options),
    ...taskHandlers,
    ...attemptHandlers,
    ...commentHandlers,
    ...viewedHandlers,
    ...gateHandlers,
    ...checkHandlers,
    ...terminalHandlers(options),
    ...decisionHandlers,
    ...landingHandlers,
    ...runHandlers(options),
    ...operationHandlers(options),
    ...trashHandlers,
    ...pullRequestHandlers,
    ...repositoryHandlers,
    ...draftHandlers,
  };
  const context = {
    services: options.services,
    idempotency: createIdempotency(options.idempotency),
    streams,
    signOuts: createSignOutWatch(options),
    browserSettings: options.browserSettings,
    callerNow: (c: Context<Env>) => callerOf(c, options, browsers),
    now: options.now,
  };
  const serve = (wanted: "open" | "closed") => {
    for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
      if ((wanted === "open") !== (endpoint.open === true)) continue;
      serveEndpoint(api, { endpoint, handle: handlers[name as EndpointName] as Handler<Endpoint> }, context);
    }
  };
  api.use("/join/*", limitRefusals(failures));
  serve("open");
  api.use(async (c, next) => {
    const known = c.env.asked ?? (await callerOf(c, options, browsers));
    if (known === null) {
      const wrong = c.req.header("authorization") !== undefined && failures.isTooMany(c.env.address);
      return problemResponse(wrong ? TOO_MANY_FAILURES : UNAUTHORIZED);
    }
    const { caller, access, browser } = known;
    if (access !== undefined && Date.parse(access.expiresAt) <= options.now())
      return problemResponse(tokenExpired(access));
    const changes = c.req.method !== "GET" && c.req.method !== "HEAD";
    const unsaid = changes && c.env.asked === undefined ? refuseUnsaidOrigin(c.req.raw, caller) : null;
    if (unsaid !== null) return problemResponse(unsaid);
    c.set("caller", caller);
    c.set("access", access);
    c.set("browser", browser);
    await setActor(c, known, options.services);
    return next();
  });
  addCallerShell(api, options.services);
  serve("closed");
  return api;
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
