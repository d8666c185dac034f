/** Speaks HTTP with one forge: bounded, polite to its limits, and with a token that goes to its host alone. */
import { setTimeout as delay } from "node:timers/promises";
import { createRedactor } from "../../domain/agent/redact.ts";
import { isLoopback } from "../../domain/forge/token-hosts.ts";
import type { ForgeAccess, ForgeError } from "../forge.ts";
import { ForgeFailure, unavailable } from "./forge-failure.ts";
import { type ForgeMemory, loginOf, type RememberedAnswer } from "./forge-memory.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { usedUpUntil } from "./rate-limit.ts";
import { readBody, readTail } from "./read-body.ts";

export interface ForgeClient {
  /** As the platform's own, for the API alone; throws a `ForgeFailure` instead of answering with an error. */
  readonly fetch: (address: string | URL, init?: RequestInit) => Promise<Response>;
  /** The end of a text that the forge keeps. Another host that it names gets no credential. */
  readonly tailOf: (address: string) => Promise<string>;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const TAIL = { tailBytes: 64 * 1024, maxBytes: 256 * 1024 * 1024 };
const MAX_HOPS = 4;
/** Waits before a reading request is made again. */
const RETRY_MS = [250, 1000];

interface ForgeRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: RequestInit["body"];
}

interface Ended {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** `scheme` stands in front of the token. */
export function createForgeClient(
  access: ForgeAccess,
  memory: ForgeMemory,
  scheme: "Bearer" | "token" = "Bearer",
): ForgeClient {
  const home = new URL(access.apiUrl);
  const call = async (request: ForgeRequest) => {
    if (request.url.origin !== home.origin || !isPrivate(home))
      throw new ForgeFailure(elsewhere(request.url, home));
    const token = await access.token();
    const redact = createRedactor({ values: token === null ? [] : [token] }).text;
    return { token, redact, anonymous: token === null, login: loginOf(home.origin, token) };
  };
  return {
    fetch: async (address, init = {}) => {
      const request = requestOf(address, init);
      const { token, redact, anonymous, login } = await call(request);
      const parked = memory.parkedUntil(login, access.clock.now());
      if (parked !== null) throw new ForgeFailure(stillLimited(home, parked));
      const ended = await ask(withToken(request, scheme, token), {
        access,
        memory,
        redact,
        anonymous,
        login,
      });
      const body = [204, 205, 304].includes(ended.status) ? null : ended.body;
      const response = new Response(body, { status: ended.status, headers: ended.headers });
      // A client that reads pages looks at the address; a response that is made has none.
      return Object.defineProperty(response, "url", { value: request.url.href });
    },
    tailOf: async (address) => {
      const request = requestOf(address, {});
      const { token, redact } = await call(request);
      return download(withToken(request, scheme, token), { access, redact });
    },
  };
}

interface Conversation {
  readonly access: ForgeAccess;
  readonly memory: ForgeMemory;
  readonly redact: (text: string) => string;
  /** No token is known. */
  readonly anonymous: boolean;
  readonly login: string;
}

/** The good answer, after redirects within the forge. */
async function ask(first: ForgeRequest, conversation: Conversation): Promise<Ended> {
  const { access, memory, login } = conversation;
  let request = first;
  for (let hop = 0; ; hop += 1) {
    const key = `${request.url} ${request.headers.get("accept")}`;
    const known = request.method === "GET" ? memory.answer(key) : undefined;
    const ended = await sendAgain(request, { access, known });
    const now = access.clock.now();
    const usedUp = usedUpUntil(ended.headers, now);
    if (usedUp !== null) memory.park(login, usedUp);
    if (ended.status === 304 && known !== undefined) return known;
    const target = redirectOf(ended, request.url);
    if (target !== null) {
      if (hop === MAX_HOPS || target.origin !== request.url.origin)
        throw new ForgeFailure(elsewhere(target, request.url));
      request = { ...request, url: target, method: ended.status === 303 ? "GET" : request.method };
      continue;
    }
    const text = new TextDecoder().decode(ended.body);
    const asked = `${request.method} ${request.url.origin}${request.url.pathname}`;
    const judged = judgeAnswer({ status: ended.status, headers: ended.headers, text }, { asked, now });
    if (judged !== null) throw failureOf(judged, conversation);
    const etag = ended.headers.get("etag");
    if (request.method === "GET" && etag !== null) memory.keep(key, { ...ended, etag });
    return ended;
  }
}

function failureOf(
  { error: judged, words }: NonNullable<ReturnType<typeof judgeAnswer>>,
  { redact, anonymous, login, memory, access }: Conversation,
): ForgeFailure {
  const error = anonymous ? withoutLogin(judged, access) : judged;
  if (error.resumeAt !== null) memory.park(login, new Date(error.resumeAt));
  const isOpen = error.code === "forge_unavailable" && (error.status ?? 500) >= 500;
  return new ForgeFailure({ ...error, message: shortened(redact(error.message)) }, { words, isOpen });
}

/** A private repository is not there for somebody without a login. */
function withoutLogin(error: ForgeError, { apiUrl }: Pick<ForgeAccess, "apiUrl">): ForgeError {
  if (error.code !== "forge_not_found") return error;
  const message = `${error.message} No token is known for ${new URL(apiUrl).host}.`;
  return { ...error, code: "forge_auth", message };
}

const MAX_MESSAGE = 600;

function shortened(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}

/** A request that only reads is made again if the connection broke or the server had a fault. */
async function sendAgain(
  request: ForgeRequest,
  { access, known }: { readonly access: ForgeAccess; readonly known: RememberedAnswer | undefined },
): Promise<Ended> {
  const headers = new Headers(request.headers);
  if (known !== undefined) headers.set("if-none-match", known.etag);
  for (let turn = 0; ; turn += 1) {
    const wait = request.method === "GET" ? RETRY_MS[turn] : undefined;
    try {
      const ended = await send({ ...request, headers }, access);
      if (ended.status < 500 || wait === undefined) return ended;
    } catch (thrown) {
      if (wait === undefined || !(thrown instanceof ForgeFailure) || !thrown.error.transient) throw thrown;
      if (thrown instanceof TooLate) throw thrown;
    }
    await delay(wait, undefined, { signal: access.signal }).catch(() => {
      throw new ForgeFailure(stopped(request.url));
    });
  }
}

/** One request, and its whole answer. */
async function send(request: ForgeRequest, access: ForgeAccess): Promise<Ended> {
  return timed(request, access, async (response) => {
    const body = await readBody(response, MAX_BODY_BYTES);
    if (body === null)
      throw new ForgeFailure(
        unavailable(`${request.url.host} answered with more than ${MAX_BODY_BYTES} bytes.`, {
          status: response.status,
          transient: false,
        }),
      );
    return { status: response.status, headers: response.headers, body };
  });
}

class TooLate extends ForgeFailure {}

/** Sends the request and reads the answer within one time limit; a broken connection is a failure of the forge. */
async function timed<T>(
  { url, method, headers, body }: ForgeRequest,
  access: ForgeAccess,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(access.timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      // On a connection of its own the platform never repeats a request by itself.
      keepalive: method === "GET",
      signal: AbortSignal.any([access.signal, limit]),
    });
    return await read(response);
  } catch (thrown) {
    if (thrown instanceof ForgeFailure) throw thrown;
    if (access.signal.aborted) throw new ForgeFailure(stopped(url), { isOpen: true });
    if (limit.aborted) {
      const message = `${url.host} did not answer ${method} ${url.pathname} within ${access.timeoutMs / 1000} s.`;
      throw new TooLate(unavailable(message), { isOpen: true });
    }
    throw new ForgeFailure(notReached(url, thrown), { isOpen: true });
  }
}

/** Follows to other hosts too, but leaves the credential behind. */
async function download(
  first: ForgeRequest,
  { access, redact }: Pick<Conversation, "access" | "redact">,
): Promise<string> {
  let request = first;
  for (let hop = 0; ; hop += 1) {
    const step = await timed(request, access, async (response) => {
      const ended = { status: response.status, headers: response.headers };
      if (response.status === 200) return { ...ended, text: await readTail(response, TAIL) };
      const body = await readBody(response, MAX_BODY_BYTES);
      return { ...ended, text: new TextDecoder().decode(body ?? new Uint8Array()) };
    });
    if (step.status === 200) return redact(step.text);
    const target = redirectOf(step, request.url);
    if (target === null) {
      const asked = `GET ${request.url.origin}${request.url.pathname}`;
      const judged = judgeAnswer(step, { asked, now: access.clock.now() });
      throw new ForgeFailure(judged?.error ?? unavailable(`${asked} was answered with ${step.status}.`));
    }
    if (hop === MAX_HOPS || !isPrivate(target) || (isLocal(target) && !isLocal(first.url)))
      throw new ForgeFailure(elsewhere(target, request.url));
    const headers = target.origin === first.url.origin ? first.headers : new Headers();
    request = { ...request, url: target, headers };
  }
}

function requestOf(address: string | URL, init: RequestInit): ForgeRequest {
  const headers = new Headers(init.headers);
  return { url: new URL(address), method: (init.method ?? "GET").toUpperCase(), headers, body: init.body };
}

function withToken(request: ForgeRequest, scheme: string, token: string | null): ForgeRequest {
  const headers = new Headers(request.headers);
  headers.delete("authorization");
  if (token !== null) headers.set("authorization", `${scheme} ${token}`);
  return { ...request, headers };
}

function redirectOf({ status, headers }: Omit<Ended, "body">, from: URL): URL | null {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get("location") : null;
  return location === null ? null : URL.parse(location, from.href);
}

const isLocal = (url: URL) => isLoopback(url.hostname);
const isPrivate = (url: URL) => url.protocol === "https:" || (url.protocol === "http:" && isLocal(url));

function elsewhere(target: URL, from: URL) {
  const why = isPrivate(target) ? "That is another host" : "That is not https";
  return unavailable(`${from.host} leads to ${target.origin}. ${why}, so nothing was sent there.`, {
    transient: false,
  });
}

function stopped(url: URL) {
  return unavailable(`Tazuna stopped while it spoke with ${url.host}.`);
}

function notReached(url: URL, thrown: unknown) {
  const { code, message } = thrown as { readonly code?: unknown; readonly message?: unknown };
  const why = typeof code === "string" && code !== "" ? code : String(message ?? thrown);
  // A certificate does not become good by itself.
  return unavailable(`${url.host} cannot be reached: ${why}.`, {
    transient: !/cert|self.signed|TLS/i.test(why),
  });
}

function stillLimited(home: URL, until: Date) {
  const resumeAt = until.toISOString();
  const message = `${home.host} wants no requests of this login until ${resumeAt}.`;
  return { code: "rate_limited", message, status: null, resumeAt, transient: true } as const;
}
