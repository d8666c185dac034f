/** Makes one call of the HTTP API and turns every outcome into a value; an aborted call counts as unreachable. */
import { err, ok, type Result } from "neverthrow";
import { type Answer, hasBody, type Route, SEQ_HEADER } from "../endpoints/endpoint.ts";
import type { ENDPOINTS, EndpointName } from "../endpoints/endpoints.ts";
import { type ApiError, PROBLEM_TYPE } from "../problem.ts";

/** The part of `fetch` that the client needs; a server in the same process may provide it. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Caller {
  /** Without a slash at the end, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Null in a browser, which has its cookie. */
  readonly token: string | null;
  readonly fetch: Fetch;
  /** The server is of this version: its answers are taken as they come, and no schema is made to check them. */
  readonly isOurs?: boolean;
  /**
   * Called with the number of the last fact that an answer contains, before the answer is given. `followFacts` after
   * that number brings every later change.
   */
  readonly onSeq?: (seq: number) => void;
  /** The shell whose environment holds for the requests; if absent, the server's own holds. The client sends it. */
  readonly shell?: CallerShell;
  /** What the agent calls itself that asks through this program; null if none does, or not yet. */
  readonly agent?: () => string | null;
}

/** The environment of the shell in which a command was typed. */
export interface CallerShell {
  /** A UUID, new for each command. */
  readonly id: string;
  readonly variables: readonly (readonly [name: string, value: string])[];
}

/** Names the environment that holds for a call, by the id under which the client sent it before. */
export const ENVIRONMENT_HEADER = "tazuna-environment";

/** Says that the call is one of an agent, and what it calls itself. */
export const AGENT_HEADER = "tazuna-agent";

/** The code of the answer to an id that the server does not know. */
export const ENVIRONMENT_UNKNOWN = "environment_unknown";

export interface Call {
  readonly method: Route["method"];
  /** Below `/api/v1`. */
  readonly path: string;
  /** Null and undefined are left out, an object is sent as JSON. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Sent as JSON; a POST or PATCH without one sends an empty object. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The document of that endpoint, or why there is none. */
export async function callJson<Name extends EndpointName>(
  caller: Caller,
  call: Call,
  name: Name,
): Promise<Result<AnswerOf<Name>, ApiError>> {
  const opened = await callRaw(caller, call);
  if (opened.isErr()) return err(opened.error);
  const body = await jsonOf(opened.value);
  const document = await documentOfAnswer(caller, name, body);
  return document === null ? err(foreignAnswer(`${call.method} ${call.path}`)) : ok(document);
}

type AnswerOf<Name extends EndpointName> = Answer<(typeof ENDPOINTS)[Name]>;

/** Null if the answer is none of that endpoint: another program, or another version, may send anything. */
export async function documentOfAnswer<Name extends EndpointName>(
  { isOurs }: Caller,
  name: Name,
  body: unknown,
): Promise<AnswerOf<Name> | null> {
  const isObject = typeof body === "object" && body !== null;
  if (isOurs === true) return isObject ? (body as AnswerOf<Name>) : null;
  const { ENDPOINTS } = await import("../endpoints/endpoints.ts");
  return (ENDPOINTS[name].answer.safeParse(body).data as AnswerOf<Name> | undefined) ?? null;
}

/** The response itself, unread, so that it can be streamed; its problem if its status is no success. */
export async function callRaw(caller: Caller, call: Call): Promise<Result<Response, ApiError>> {
  const headers: Record<string, string> = { accept: "application/json", ...call.headers };
  if (caller.token !== null) headers.authorization = `Bearer ${caller.token}`;
  const agent = caller.agent?.() ?? null;
  if (agent !== null) headers[AGENT_HEADER] = agent;
  if (hasBody(call)) headers["content-type"] = "application/json";
  const init: RequestInit = {
    method: call.method,
    headers,
    ...(hasBody(call) ? { body: JSON.stringify(call.body ?? {}) } : {}),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  };
  let response: Response;
  try {
    response = await caller.fetch(`${caller.url}/api/v1${call.path}${queryText(call.query)}`, init);
  } catch (cause) {
    return err(unreachable(cause));
  }
  const seq = response.headers.get(SEQ_HEADER);
  if (seq !== null) caller.onSeq?.(Number(seq));
  return response.ok ? ok(response) : err(await problemOf(response));
}

function queryText(query: Call["query"]): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== null && value !== undefined)
      search.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

async function problemOf(response: Response): Promise<ApiError> {
  const body = response.headers.get("content-type")?.startsWith(PROBLEM_TYPE) ? await jsonOf(response) : null;
  const { problemDocument } = await import("../problem-document.ts");
  const problem = problemDocument.safeParse(body);
  if (!problem.success) return foreignAnswer(`HTTP ${response.status}`);
  const { kind, code, detail, remedy, details } = problem.data;
  return { kind, code, message: detail, remedy, details };
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function unreachable(cause: unknown): ApiError {
  return {
    kind: "unreachable",
    code: "server_unreachable",
    message: "The Tazuna server does not answer.",
    remedy: "Run the command again; it starts a server if none is running.",
    details: { cause: cause instanceof Error ? cause.message : String(cause) },
  };
}

/** An answer that is not ours: from another program on that port, or from a server of another version. */
function foreignAnswer(what: string): ApiError {
  return {
    kind: "internal",
    code: "unexpected_answer",
    message: `The server's answer was not understood (${what}).`,
    remedy: "It may be of another version: stop it, then run the command again.",
    details: {},
  };
}
