/** Carries out a request with an `Idempotency-Key` once, and repeats its answer if the request is repeated. */
import { PROBLEM_TYPE } from "../../contract/problem.ts";
import type { IdempotencyStore, IdempotentAnswer } from "./api-options.ts";
import { type Problem, problemResponse } from "./problem-response.ts";

export interface Idempotency {
  /** `text` is the body; `act` is only called for the first of several equal requests. */
  once(request: Request, text: string, act: () => Promise<Response>): Promise<Response>;
}

/**
 * Only successes are kept: a refused request may be sent again with the same key. Equal requests that come while the
 * first is carried out wait for its answer. If the server died before an answer, the request is carried out again.
 * The services know, under the same key, what it had created by then.
 */
export function createIdempotency(store: IdempotencyStore): Idempotency {
  const going = new Map<
    string,
    { readonly fingerprint: string; readonly answer: Promise<IdempotentAnswer> }
  >();

  const carryOut = async (key: string, fingerprint: string, act: () => Promise<Response>) => {
    const claim = await store.claim(key, fingerprint);
    if (claim.kind === "other") return answerOf(problemResponse(KEY_REUSED));
    if (claim.kind === "same" && isAnswer(claim.answer)) return claim.answer;
    const answer = await answerOf(await act());
    if (answer.status < 400) await store.answer(key, answer);
    else await store.forget(key);
    return answer;
  };

  return {
    async once(request, text, act) {
      const key = request.headers.get("idempotency-key");
      if (key === null) return act();
      if (!/^[\x21-\x7e]{1,200}$/.test(key)) return problemResponse(BAD_KEY);
      const fingerprint = await fingerprintOf(request, text);
      const other = going.get(key);
      if (other !== undefined)
        return other.fingerprint === fingerprint ? replay(await other.answer) : problemResponse(KEY_REUSED);
      const answer = carryOut(key, fingerprint, act).finally(() => going.delete(key));
      going.set(key, { fingerprint, answer });
      return replay(await answer);
    },
  };
}

async function answerOf(response: Response): Promise<IdempotentAnswer> {
  return { status: response.status, document: await response.json() };
}

function isAnswer(value: unknown): value is IdempotentAnswer {
  return typeof value === "object" && value !== null && "status" in value && "document" in value;
}

function replay({ status, document }: IdempotentAnswer): Response {
  const type = status < 400 ? "application/json" : PROBLEM_TYPE;
  return new Response(JSON.stringify(document), { status, headers: { "content-type": type } });
}

async function fingerprintOf(request: Request, text: string): Promise<string> {
  const content = `${request.method} ${new URL(request.url).pathname}\n${text}`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  return new Uint8Array(digest).toHex();
}

const BAD_KEY: Problem = {
  kind: "bad_request",
  code: "idempotency_key",
  message: "The Idempotency-Key must be 1 to 200 visible ASCII characters.",
  remedy: "Use a UUID.",
};

const KEY_REUSED: Problem = {
  kind: "conflict",
  code: "idempotency_key_reused",
  message: "This Idempotency-Key was used for another request.",
  remedy: "Use a new key for a new request.",
  status: 422,
};
