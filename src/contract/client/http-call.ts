/** Makes one call of the HTTP API and turns every outcome into a value; an aborted call counts as unreachable. */
import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import { type Endpoint, hasBody } from "../endpoints/endpoint.ts";
import { type ApiError, PROBLEM_TYPE, problemDocument } from "../problem.ts";

/** The part of `fetch` that the client needs; a server in the same process may provide it. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Caller {
  /** Without a slash at the end, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Null in a browser, which has its cookie. */
  readonly token: string | null;
  readonly fetch: Fetch;
  /** The shell whose environment holds for the requests; if absent, the server's own holds. The client sends it. */
  readonly shell?: CallerShell;
}

/** The environment of the shell in which a command was typed. */
export interface CallerShell {
  /** A UUID, new for each command. */
  readonly id: string;
  readonly variables: readonly (readonly [name: string, value: string])[];
}

/** Names the environment that holds for a call, by the id under which the client sent it before. */
export const ENVIRONMENT_HEADER = "tazuna-environment";

/** The code of the answer to an id that the server does not know. */
export const ENVIRONMENT_UNKNOWN = "environment_unknown";

export interface Call {
  readonly method: Endpoint["method"];
  /** Below `/api/v1`. */
  readonly path: string;
  /** Null and undefined are left out, an object is sent as JSON. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Sent as JSON; a POST or PATCH without one sends an empty object. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The answer's body by its schema, or why there is none. */
export async function callJson<Schema extends z.ZodType>(
  caller: Caller,
  call: Call,
  schema: Schema,
): Promise<Result<z.output<Schema>, ApiError>> {
  const opened = await callRaw(caller, call);
  if (opened.isErr()) return err(opened.error);
  const body = await jsonOf(opened.value);
  const parsed = schema.safeParse(body);
  return parsed.success ? ok(parsed.data) : err(foreignAnswer(`${call.method} ${call.path}`));
}

/** The response itself, unread, so that it can be streamed; its problem if its status is no success. */
export async function callRaw(caller: Caller, call: Call): Promise<Result<Response, ApiError>> {
  const headers: Record<string, string> = { accept: "application/json", ...call.headers };
  if (caller.token !== null) headers.authorization = `Bearer ${caller.token}`;
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
