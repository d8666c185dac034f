/** Offers the calls of the HTTP API as typed functions over a given `fetch`. Its streams are in `client.ts`. */
import { err, type Result } from "neverthrow";
import type { z } from "zod";
import { type Endpoint, hasBody, type OneOf, pathFor, type Route, type Sent } from "../endpoints/endpoint.ts";
import type { ENDPOINTS, EndpointName } from "../endpoints/endpoints.ts";
import type { pageQuery } from "../endpoints/fields.ts";
import { ROUTES } from "../endpoints/routes.ts";
import type { ApiError } from "../problem.ts";
import {
  type Call,
  type Caller,
  callJson,
  callRaw,
  ENVIRONMENT_HEADER,
  ENVIRONMENT_UNKNOWN,
} from "./http-call.ts";

export type Reply<T> = Promise<Result<T, ApiError>>;

/** Options of calls that create something: the same key and body is carried out once, even if sent again. */
export interface Once {
  readonly key?: string;
}

/** Selects tasks; what is left out holds as the server's default. */
export type TaskQuery = Sent<Rows["tasks"]>;

/** The start of a page (the `next` of another one, or null), and the most items in it. */
export type PageQuery = z.output<typeof pageQuery>;

type Rows = typeof ENDPOINTS;

/**
 * One function for each row of the endpoint table. Ids are whole ids; `find` resolves prefixes. A stream is followed, not
 * called; `keepEnvironment` is called before the first call that needs it. A forge calls its webhook.
 */
export type Calls = {
  readonly [Name in keyof Rows as Rows[Name] extends
    | { type: "text/event-stream" }
    | { path: "/environments" }
    | { raw: true }
    ? never
    : Name]: (...given: Given<Rows[Name]>) => Reply<Answered<Rows[Name]>>;
};

/** First the id of its path, then what is sent, then the key. */
type Given<E extends Endpoint> = [...Named<E["path"]>, ...Asked<Sent<E>>, ...Keyed<E>];
type Named<Path extends string> = Path extends `${string}:things${string}`
  ? [of: OneOf]
  : Path extends `${string}:id${string}`
    ? [id: string]
    : [];
type Asked<S> = string extends keyof S ? [] : Record<never, never> extends S ? [sent?: S] : [sent: S];
type Keyed<E> = E extends { secret: true } ? [] : E extends { creates: true } ? [once?: Once] : [];
type Answered<E extends Endpoint> = E extends { type: "text/x-diff" | "image/*" }
  ? Response
  : z.output<E["answer"]>;

export function createCalls(caller: Caller): Calls {
  const inShell = createShellCalls(caller);
  const calls = (Object.entries(ROUTES) as [EndpointName, Route][]).map(([name, route]) => {
    const call = (...given: unknown[]) => {
      const made = callOf(route, given);
      if (route.type !== undefined) return callRaw(caller, made);
      return route.inShell === true ? inShell(made, name) : callJson(caller, made, name);
    };
    return [name, call];
  });
  return Object.fromEntries(calls) as Calls;
}

/** The call that the arguments of a client's function mean. */
function callOf({ method, path, empty, when }: Route, given: unknown[]): Call {
  const rest = [...given];
  const named = path.includes(":") ? (rest.shift() as string | OneOf) : "";
  const sent = empty === true ? {} : (rest.shift() ?? {});
  const [once = {}] = rest as [Once?];
  return {
    method,
    path: pathFor(path, named),
    ...(hasBody({ method })
      ? { body: sent }
      : { query: { ...sent, ...(when?.in === "query" ? { [when.name]: when.value } : {}) } }),
    headers: once.key === undefined ? {} : { "idempotency-key": once.key },
  };
}

type ShellCall = (call: Call, name: EndpointName) => Reply<unknown>;

/** Makes calls in the caller's environment, and sends that environment first. Without a shell these are plain calls. */
function createShellCalls(caller: Caller): ShellCall {
  const { shell } = caller;
  if (shell === undefined) return (call, name) => callJson(caller, call, name);
  let handed: ReturnType<typeof hand> | null = null;
  const { method, path } = ROUTES.keepEnvironment;
  const hand = () => callJson(caller, { method, path, body: shell }, "keepEnvironment");
  return async (call, name) => {
    const marked = { ...call, headers: { ...call.headers, [ENVIRONMENT_HEADER]: shell.id } };
    for (let tries = 0; ; tries++) {
      handed ??= hand();
      const before = await handed;
      if (before.isErr()) handed = null;
      // A server of an older version does not accept environments, and ignores the header.
      if (before.isErr() && before.error.code !== "no_such_address") return err(before.error);
      const answer = await callJson(caller, marked, name);
      if (answer.isOk() || answer.error.code !== ENVIRONMENT_UNKNOWN || tries > 0) return answer;
      handed = null;
    }
  };
}
