/** Hands a call on to the other worker that holds the files which it is about (ADR 0087). */
import type { Context } from "hono";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import type { AskedAnswer, OtherWorker } from "../../services/core/screen-shapes.ts";
import type { Services } from "../../services/core/services.ts";
import { problemResponse } from "./problem-response.ts";
import { type Env, unhurried } from "./request-context.ts";

/** Null if this worker answers. So it does for a look that nobody else answers: it shows what is known here. */
export async function askHolder(
  c: Context<Env>,
  { endpoint, services, body }: Asking,
): Promise<Response | null> {
  const { asksHolder: thing, method } = endpoint;
  // One worker hands a call on to the next one, and no further.
  if (thing === undefined || c.env?.asked !== undefined) return null;
  const holder = await services.holderToAsk(thing, c.req.param("id") ?? "");
  if (holder === null) return null;
  const { pathname, search } = new URL(c.req.url);
  const call = {
    method,
    path: pathname + search,
    body,
    idempotencyKey: c.req.header("idempotency-key") ?? null,
    caller: c.get("caller") ?? "program",
    access: c.get("access") ?? null,
  };
  const answered = await unhurried(c, () => services.askWorker(holder, call));
  if (answered.isOk()) return responseOf(answered.value, holder);
  return method === "GET" ? null : problemResponse(answered.error);
}

interface Asking {
  readonly endpoint: Endpoint;
  readonly services: Pick<Services, "holderToAsk" | "askWorker">;
  readonly body: string | null;
}

function responseOf({ status, type, body }: AskedAnswer, holder: OtherWorker): Response {
  const bytes = Uint8Array.fromBase64(body);
  const seen = status < 400 && type.startsWith("application/json") ? seenFromHere(bytes, holder) : bytes;
  return new Response(seen, { status, headers: { "content-type": type } });
}

/** What lies or happened there is named so: to its own API, that is `null`. */
function seenFromHere(bytes: Uint8Array<ArrayBuffer>, { id, name }: OtherWorker) {
  const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const placed = (one: unknown) => (isPlacedHere(one) ? { ...one, worker: { id, name } } : one);
  const seen = placed(document);
  if (typeof seen !== "object" || seen === null || !("attempts" in seen)) return JSON.stringify(seen);
  const { attempts } = seen;
  return JSON.stringify(Array.isArray(attempts) ? { ...seen, attempts: attempts.map(placed) } : seen);
}

function isPlacedHere(one: unknown): one is { readonly worker: null } {
  return typeof one === "object" && one !== null && "worker" in one && one.worker === null;
}
