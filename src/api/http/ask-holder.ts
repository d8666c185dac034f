/** Hands a call on to the other worker that holds the files which it is about (ADR 0087). */
import type { Context } from "hono";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import type { AskedAnswer, OtherWorker } from "../../services/core/screen-shapes.ts";
import type { Services } from "../../services/core/services.ts";
import { problemResponse } from "./problem-response.ts";
import { parseBody } from "./read-request.ts";
import { type Env, unhurried } from "./request-context.ts";

/** Null if this worker answers. So it does for a look that nobody else answers: it shows what is known here. */
export async function askHolder(
  c: Context<Env>,
  { endpoint, services, body }: Asking,
): Promise<Response | null> {
  const { asksHolder: thing, method } = endpoint;
  // One worker hands a call on to the next one, and no further.
  if (thing === undefined || c.env?.asked !== undefined) return null;
  const holder = await services.holderToAsk(thing, named(c, endpoint, body));
  if (holder === null) return null;
  const { pathname, search } = new URL(c.req.url);
  const answered = await handOn(c, { services, body, worker: holder, path: pathname + search });
  if (answered.isOk()) return responseOf(answered.value, holder);
  return method === "GET" ? null : problemResponse(answered.error);
}

interface Asking {
  readonly endpoint: Endpoint;
  readonly services: Pick<Services, "holderToAsk" | "askWorker">;
  readonly body: string | null;
}

/** What names the thing: the path, or the field `repository` of the query or the body. Empty if nothing does. */
function named(c: Context<Env>, { asksHolder, request }: Endpoint, body: string | null): string {
  if (asksHolder !== "named_repository") return c.req.param("id") ?? "";
  if (body === null) return c.req.query("repository") ?? "";
  const read = parseBody(request, body);
  return read.isOk() && "repository" in read.value ? String(read.value.repository) : "";
}

/** Lets that worker answer the call of this caller, at this path. */
export function handOn(
  c: Context<Env>,
  call: {
    readonly services: Pick<Services, "askWorker">;
    readonly worker: OtherWorker;
    readonly path: string;
    readonly body: string | null;
    readonly clones?: boolean;
  },
): ReturnType<Services["askWorker"]> {
  const { services, worker, path, body, clones = false } = call;
  const handed = {
    ...{ method: c.req.method, path, body },
    idempotencyKey: c.req.header("idempotency-key") ?? null,
    caller: c.get("caller") ?? "program",
    access: c.get("access") ?? null,
    actor: c.get("actor") ?? null,
  };
  return unhurried(c, () => services.askWorker(worker, handed, { clones }));
}

export function responseOf({ status, type, body }: AskedAnswer, holder: OtherWorker): Response {
  const bytes = Uint8Array.fromBase64(body);
  const seen = status < 400 && type.startsWith("application/json") ? seenFromHere(bytes, holder) : bytes;
  return new Response(seen, { status, headers: { "content-type": type } });
}

/** Its own attempts lie there, as seen from here. */
function seenFromHere(bytes: Uint8Array<ArrayBuffer>, { id, name }: OtherWorker) {
  const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof document !== "object" || document === null || !("attempts" in document)) return bytes;
  const { attempts } = document;
  if (!Array.isArray(attempts)) return bytes;
  const moved = attempts.map((attempt) =>
    attempt?.worker === null ? { ...attempt, worker: { id, name } } : attempt,
  );
  return JSON.stringify({ ...document, attempts: moved });
}
