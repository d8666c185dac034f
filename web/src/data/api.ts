/** Calls the API of this page's server, and throws a problem so that queries and acts report it. */
import { type Calls, createCalls } from "@contract/client/calls.ts";
import type { Caller } from "@contract/client/http-call.ts";
import type { ApiError } from "@contract/problem.ts";
import type { Result } from "neverthrow";
import { createSendOnce } from "./send-once.ts";

/** The page and its server are of one version, so answers are taken as they come (`features/shell/connection.tsx` watches that). */
export const caller: Caller = {
  url: location.origin,
  token: null,
  fetch: createSendOnce((url, init) => fetch(url, init)),
  isOurs: true,
};

export const api: Calls = createCalls(caller);

/** What the server refused, with its stable code and what to do. */
export class Refused extends Error {
  readonly problem: ApiError;

  constructor(problem: ApiError) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The answer itself. For queries and mutations, which take a rejection as their error. */
export async function answerOf<T>(reply: Promise<Result<T, ApiError>>): Promise<T> {
  const result = await reply;
  if (result.isErr()) throw new Refused(result.error);
  return result.value;
}

/** What to do in a browser; the caller's own words are about a command. */
const OFFLINE_REMEDY =
  "Try again when the connection is back. `tazuna serve` starts the server if none is running.";

/** Nobody who fills in a form sees a body or a query. */
const BAD_REQUEST_REMEDY = "Correct it, then try again.";

/** The problem behind what a query or an act reports. */
export function problemOf(error: unknown): ApiError {
  if (error instanceof Refused) {
    const { problem } = error;
    if (problem.kind === "unreachable") return { ...problem, remedy: OFFLINE_REMEDY };
    return problem.code === "bad_request" ? { ...problem, remedy: BAD_REQUEST_REMEDY } : problem;
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "internal", code: "page_fault", message, remedy: "Reload the page.", details: {} };
}

/** A fresh key; the same request gets its first one again as long as it has no answer. */
export function once(): { readonly key: string } {
  return { key: crypto.randomUUID() };
}
