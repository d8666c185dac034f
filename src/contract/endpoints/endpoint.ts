/** Declares a row of the endpoint table, and the types that follow from a row. */
import type { z } from "zod";
import type { Scope } from "../../domain/access/scope.ts";
import type { HeldThing } from "../../domain/worker/asked.ts";
import type { Code } from "../codes.ts";

export { ROLES, type Role, roleFor } from "../../domain/access/role.ts";
export { covers, SCOPES } from "../../domain/access/scope.ts";

/** How an endpoint of the HTTP API is called. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api/v1`. `:id` is an id, `:things` is one of `tasks`, `attempts` and `runs`. */
  readonly path: `/${string}`;
  /** Its request has no fields. */
  readonly empty?: true;
  /** JSON if it is absent. */
  readonly type?: "text/event-stream" | "text/x-diff" | "image/*";
  /** Answers 201; its calls may name an idempotency key. */
  readonly creates?: true;
  /** The environment of the caller's shell holds for it. */
  readonly inShell?: true;
  /** Answers callers without a token too. */
  readonly open?: true;
  /** The least scope of an access token that it answers, if it is not the one of `scopeOf`. */
  readonly needs?: Scope;
  /** Its body is any JSON, and its handler gets it as it came. */
  readonly raw?: true;
  /** Its body is never stored, so that no idempotency key holds for it. */
  readonly secret?: true;
  /** The longest body; `MAX_BODY_BYTES` if it is absent. */
  readonly maxBytes?: number;
  /** What its `:id` names. If another worker holds that, and is there, it answers the call. */
  readonly asksHolder?: HeldThing;
  /** It creates a task, which may begin on another worker. That one then answers the call. */
  readonly placesTask?: true;
  /** Holds only for requests that say this. The next row of the same path takes the others. */
  readonly when?: { readonly in: "query" | "header"; readonly name: string; readonly value: string };
}

/** In every answer to a GET: the number of the last fact that the answer contains. */
export const SEQ_HEADER = "tazuna-seq";

/** One endpoint of the HTTP API. */
export interface Endpoint extends Route {
  /** One sentence for the API's description. */
  readonly summary: string;
  /** The query string of a GET or DELETE, the body of a POST, PUT or PATCH. */
  readonly request: z.ZodObject;
  /** The document; of a stream, the data of each event. */
  readonly answer: z.ZodType;
  /** The codes of its own refusals; `codesOf` adds those that follow from the rest of the row. */
  readonly codes: readonly Code[];
}

export type Endpoints = Readonly<Record<string, Endpoint>>;

/** What a caller sends: fields with a default may be left out. A query is given as values, not as text. */
export type Sent<E extends Endpoint> = E["method"] extends "GET" | "DELETE"
  ? Query<E["request"]>
  : z.input<E["request"]>;

/** The least scope of an access token that an endpoint answers: what only reads needs `read`. */
export function scopeOf({ needs, method }: Pick<Route, "needs" | "method">): Scope {
  return needs ?? (method === "GET" ? "read" : "write");
}

/** Whether a worker hands calls of this row on to another one. No other row answers a worker, whatever it says of a caller. */
export function isHandedOn({ asksHolder, placesTask }: Pick<Route, "asksHolder" | "placesTask">): boolean {
  return asksHolder !== undefined || placesTask === true;
}

/** Whether what is sent is a body. */
export function hasBody({ method }: Pick<Route, "method">): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}

/** What the server makes of it. */
export type Received<E extends Endpoint> = z.output<E["request"]>;

/** What the server answers with. */
export type Answer<E extends Endpoint> = z.input<E["answer"]>;

type Query<S extends z.ZodObject> = Omit<z.output<S>, Defaulted<S>> &
  Partial<Pick<z.output<S>, Defaulted<S>>>;

type Defaulted<S extends z.ZodObject> = {
  [Key in keyof z.output<S>]: Key extends keyof z.input<S>
    ? undefined extends z.input<S>[Key]
      ? Key
      : never
    : never;
}[keyof z.output<S>];

/** A task, an attempt or a run. */
export interface OneOf {
  readonly type: "task" | "attempt" | "run";
  readonly id: string;
}

const THINGS: readonly OneOf["type"][] = ["task", "attempt", "run"];

/** The paths that a row stands for: three if it names `:things`. */
export function pathsOf(path: string): readonly string[] {
  return path.includes(":things") ? THINGS.map((type) => path.replace(":things", `${type}s`)) : [path];
}

/** The path for one thing. */
export function pathFor(path: string, named: string | OneOf): string {
  if (typeof named === "string") return path.replace(":id", encodeURIComponent(named));
  return pathFor(path.replace(":things", `${named.type}s`), named.id);
}
