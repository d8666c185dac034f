/** Calls the API of the server that this page came from, and throws a problem so that queries and acts report it. */
import { type Client, createClient } from "@contract/client/client.ts";
import type { ApiError } from "@contract/problem.ts";
import type { Result } from "neverthrow";

/** The page and its server are of one version, so answers are taken as they come (`data/version.ts` watches that). */
export const api: Client = createClient({
  url: location.origin,
  token: null,
  fetch: (url, init) => fetch(url, init),
  isOurs: true,
});

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

/** The problem behind what a query or an act reports. */
export function problemOf(error: unknown): ApiError {
  if (error instanceof Refused) return error.problem;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "internal", code: "page_fault", message, remedy: "Reload the page.", details: {} };
}

/** A fresh key, so that a request that is sent twice is carried out once. */
export function once(): { readonly key: string } {
  return { key: crypto.randomUUID() };
}
