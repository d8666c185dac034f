/** Serves one row of the endpoint table: reads the request, asks the handler, sends what the row promises. */
import type { Context, Hono, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Result } from "neverthrow";
import {
  type Endpoint,
  hasBody,
  isHandedOn,
  pathsOf,
  SEQ_HEADER,
} from "../../contract/endpoints/endpoint.ts";
import { MAX_BODY_BYTES } from "../../contract/limits.ts";
import type { Picture } from "../../services/core/answer-shapes.ts";
import type { Services } from "../../services/core/services.ts";
import type { ApiOptions, KnownCaller } from "../http/api-options.ts";
import { askHolder } from "../http/ask-holder.ts";
import type { Idempotency } from "../http/idempotency.ts";
import { type Problem, problemResponse } from "../http/problem-response.ts";
import {
  lastEventId,
  parseBody,
  parseQuery,
  readText,
  refuseOtherTypes,
  tooLarge,
} from "../http/read-request.ts";
import { type Env, unhurried, unhurriedStream } from "../http/request-context.ts";
import { refuseEndpoint, refuseFields, whileValid } from "../http/scope-guard.ts";
import type { LiveStreams, StreamSource } from "../streams/live-streams.ts";
import type { SignOutWatch } from "../streams/sign-out-watch.ts";
import type { Asked, Handler } from "./handler.ts";
import { asPlaced, placeElsewhere } from "./place-elsewhere.ts";

/** What every endpoint needs. */
interface ServeContext {
  readonly services: Services;
  readonly idempotency: Idempotency;
  readonly streams: LiveStreams;
  readonly signOuts: SignOutWatch;
  /** Settings for what a browser asks for; its own win over them. */
  readonly browserSettings: ApiOptions["browserSettings"];
  /** Who the caller of a stream is now. */
  readonly callerNow: (c: Context<Env>) => Promise<KnownCaller | null>;
  readonly now: ApiOptions["now"];
}

/** A row with the handler that belongs to it. */
interface Served {
  readonly endpoint: Endpoint;
  readonly handle: Handler<Endpoint>;
}

export function serveEndpoint(api: Hono<Env>, served: Served, context: ServeContext): void {
  const { method, path, maxBytes = MAX_BODY_BYTES } = served.endpoint;
  const limit = bodyLimit({ maxSize: maxBytes, onError: () => problemResponse(tooLarge(maxBytes)) });
  for (const each of pathsOf(path)) {
    if (method === "GET") api.get(each, (c, next) => answerWithSeq(c, next, { ...served, context }));
    if (method === "DELETE") api.delete(each, (c, next) => answerQuery(c, next, { ...served, context }));
    if (hasBody(served.endpoint))
      api.on(method, each, refuseOtherTypes, limit, (c) => answerBody(c, { ...served, context }));
  }
}

type Serving = Served & { readonly context: ServeContext };

/** The number is read first, so that it is never newer than what is answered. */
async function answerWithSeq(c: Context<Env>, next: Next, serving: Serving) {
  const { endpoint, context } = serving;
  if (!isMeant(c, endpoint)) return next();
  if (endpoint.open === true || endpoint.type === "text/event-stream") return answerQuery(c, next, serving);
  // What does not need the database, such as `doctor`, is answered without it too.
  const seq = await context.services.lastFact().catch(() => null);
  const response = await answerQuery(c, next, serving);
  if (seq?.isOk() && response !== undefined) response.headers.set(SEQ_HEADER, String(seq.value));
  return response;
}

async function answerQuery(c: Context<Env>, next: Next, serving: Serving) {
  const { endpoint, handle, context } = serving;
  if (!isMeant(c, endpoint)) return next();
  if (isClosed(c, endpoint)) return c.notFound();
  const limited = refuseEndpoint(c.get("access"), endpoint);
  if (limited !== null) return problemResponse(limited);
  const query = parseQuery(endpoint.request, c.req.url);
  if (query.isErr()) return problemResponse(query.error);
  const further = refuseFields(c.get("access"), query.value);
  if (further !== null) return problemResponse(further);
  const elsewhere = await askHolder(c, { endpoint, services: context.services, body: null });
  if (elsewhere !== null) return elsewhere;
  if (endpoint.type === "text/event-stream") {
    const last = lastEventId(c.req.raw);
    if (last.isErr()) return problemResponse(last.error);
    const request = last.value === null ? query.value : { ...query.value, after: last.value };
    return stream(c, serving, await handle(askedOf(c, serving, { request })));
  }
  if (endpoint.type === "text/x-diff") {
    const patch = await handle(askedOf(c, serving, { request: query.value }));
    if (patch.isErr()) return problemResponse(patch.error);
    return new Response(unhurriedStream(c, patch.value as ReadableStream<Uint8Array>), {
      headers: { "content-type": endpoint.type },
    });
  }
  if (endpoint.type === "image/*")
    return picture(await handle(askedOf(c, serving, { request: query.value })));
  return unhurried(c, async () => answer(await handle(askedOf(c, serving, { request: query.value })), 200));
}

/** Its type is one of a few that hold no script, and browsers may not guess another one (`nosniff`). */
function picture(found: Result<unknown, Problem>): Response {
  if (found.isErr()) return problemResponse(found.error);
  const { bytes, type } = found.value as Picture;
  return new Response(new Uint8Array(bytes), { headers: { "content-type": type } });
}

async function answerBody(c: Context<Env>, serving: Serving) {
  const { endpoint, handle, context } = serving;
  if (isClosed(c, endpoint)) return c.notFound();
  const limited = refuseEndpoint(c.get("access"), endpoint);
  if (limited !== null) return problemResponse(limited);
  const text = await readText(c.req.raw);
  if (text.isErr()) return problemResponse(text.error);
  if (endpoint.raw === true) {
    const raw = { body: text.value, header: (name: string) => c.req.header(name) ?? null };
    return answer(await handle(askedOf(c, serving, { request: {}, raw })), 200);
  }
  // The holder keeps the idempotency key: only it knows what became of the first of several equal calls.
  const { services } = context;
  const elsewhere =
    (await askHolder(c, { endpoint, services, body: text.value })) ??
    (await placeElsewhere(c, { endpoint, services, text: text.value }));
  if (elsewhere !== null) return elsewhere;
  const act = async () => {
    const body = parseBody(endpoint.request, text.value);
    if (body.isErr()) return problemResponse(body.error);
    const further = refuseFields(c.get("access"), body.value);
    if (further !== null) return problemResponse(further);
    const key = c.req.header("idempotency-key");
    const once = key === undefined || endpoint.secret === true ? null : { key };
    const status = endpoint.creates === true ? 201 : 200;
    return answer(
      await handle(askedOf(c, serving, { request: asPlaced(c, endpoint, body.value), once })),
      status,
    );
  };
  return unhurried(c, () =>
    endpoint.secret === true ? act() : context.idempotency.once(c.req.raw, text.value, act),
  );
}

/** Whoever may write requests for workers gets no further than the rows that are meant for that (ADR 0087). */
function isClosed(c: Context<Env>, endpoint: Endpoint): boolean {
  return c.env?.asked !== undefined && !isHandedOn(endpoint);
}

/** Whether the row holds for this request, or the next row of the same path does. */
function isMeant(c: Context<Env>, { when }: Endpoint): boolean {
  if (when === undefined) return true;
  if (when.in === "query") return c.req.query(when.name) === when.value;
  return (c.req.header(when.name) ?? "").includes(when.value);
}

function askedOf(
  c: Context<Env>,
  { endpoint, context }: Serving,
  read: Pick<Asked<Endpoint>, "request"> & Partial<Pick<Asked<Endpoint>, "once" | "raw">>,
): Asked<Endpoint> {
  const shell = endpoint.inShell === true ? c.get("shell") : undefined;
  return {
    id: c.req.param("id") ?? "",
    once: null,
    gone: c.req.raw.signal,
    raw: { body: "", header: () => null },
    ...read,
    request: inSurroundings(read.request, c.get("caller") === "browser" ? context.browserSettings : {}),
    services: shell === undefined ? (c.get("services") ?? context.services) : (shell as Services),
    caller: c.get("caller"),
    browser: c.get("browser") ?? null,
    access: c.get("access") ?? null,
    outside: c.env?.outside === true,
    origin: new URL(c.req.url).origin,
  };
}

/** A command sends the settings of its environment; a browser has none, so those of the engine hold. */
function inSurroundings(request: Asked<Endpoint>["request"], settings: object): Asked<Endpoint>["request"] {
  if (!("settings" in request) || typeof request.settings !== "object") return request;
  return { ...request, settings: { ...settings, ...request.settings } };
}

function stream(c: Context<Env>, serving: Serving, source: Result<unknown, Problem>): Response {
  if (source.isErr()) return problemResponse(source.error);
  c.env?.keepOpen?.();
  return serving.context.streams.open(stillAllowed(c, serving, source.value as StreamSource), {
    address: c.env?.address ?? null,
    onEnd: () => c.env?.letIdle?.(),
  });
}

/** A removal or another role ends a stream soon, since it is one long answer to one call. */
function stillAllowed(c: Context<Env>, { endpoint, context }: Serving, source: StreamSource): StreamSource {
  const { signOuts, callerNow, now } = context;
  const browser = c.get("browser");
  const guarded = browser === undefined ? source : signOuts.guard(source, browser);
  if (c.get("access") === undefined) return guarded;
  const isValid = async () => {
    const access = (await callerNow(c))?.access;
    return (
      access !== undefined &&
      Date.parse(access.expiresAt) > now() &&
      refuseEndpoint(access, endpoint) === null
    );
  };
  return whileValid(guarded, { isValid, now });
}

function answer(result: Result<unknown, Problem>, status: number): Response {
  return result.match((document) => Response.json(document, { status }), problemResponse);
}
