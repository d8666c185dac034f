/** Declares what a handler is: it asks one service, and answers what its row of the endpoint table promises. */
import type { Result } from "neverthrow";
import type { Answer, Endpoint, Endpoints, Received } from "../../contract/endpoints/endpoint.ts";
import type { KnownAccess } from "../../services/core/access-shapes.ts";
import type { Picture } from "../../services/core/answer-shapes.ts";
import type { Once } from "../../services/core/request-shapes.ts";
import type { Services, ShellServices } from "../../services/core/services.ts";
import type { Caller } from "../http/api-options.ts";
import type { Problem } from "../http/problem-response.ts";
import type { StreamSource } from "../streams/live-streams.ts";

interface RawRequest {
  readonly body: string;
  readonly header: (name: string) => string | null;
}

/** One handler for each row. */
export type Handlers<Rows extends Endpoints> = { readonly [Name in keyof Rows]: Handler<Rows[Name]> };

export type Handler<E extends Endpoint> = (asked: Asked<E>) => Promise<Result<Answered<E>, Problem>>;

export interface Asked<E extends Endpoint> {
  /** From the path; empty if the path names nothing. */
  readonly id: string;
  readonly request: Received<E>;
  /** Of a row that takes any body: the body, and a header by its name. */
  readonly raw: RawRequest;
  readonly once: Once;
  /** Aborts when the caller has left before the answer. */
  readonly gone: AbortSignal;
  /** If the row says so, those for the caller's shell. */
  readonly services: E extends { readonly inShell: true } ? ShellServices : Services;
  /** Absent if the endpoint is open to everybody. */
  readonly caller: Caller | undefined;
  /** The id of the browser that asks; null if a program does. */
  readonly browser: string | null;
  /** What limits the caller; null if nothing does. */
  readonly access: KnownAccess | null;
  /** Whether the caller came through the socket that is reached from other machines. */
  readonly outside: boolean;
  /** The address of this server, as the caller wrote it. */
  readonly origin: string;
}

type Answered<E extends Endpoint> = E extends { readonly type: "text/event-stream" }
  ? StreamSource
  : E extends { readonly type: "text/x-diff" }
    ? ReadableStream<Uint8Array>
    : E extends { readonly type: "image/*" }
      ? Picture
      : Frozen<Answer<E>>;

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** The answer of a service as its document. */
export async function shown<T, U, E>(asked: Promise<Result<T, E>>, show: (answer: T) => U) {
  return (await asked).map(show);
}

/** A page of a list. */
export function pageOf<T, U>(show: (item: T) => U) {
  return ({ items, next }: { readonly items: readonly T[]; readonly next: string | null }) => ({
    items: items.map(show),
    next,
  });
}

/** A list that has no further pages. */
export function listOf<T, U>(show: (item: T) => U) {
  return (items: readonly T[]) => ({ items: items.map(show), next: null });
}
