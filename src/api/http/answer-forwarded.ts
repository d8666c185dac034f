/** Answers a call that another worker hands on, as if its caller had come here (ADR 0087). */
import type { AskedAnswer, AskedCall } from "../../services/core/screen-shapes.ts";
import type { Api } from "./api-options.ts";
import { type Problem, problemResponse } from "./problem-response.ts";

/** The most bytes of an answer. */
const MAX_BYTES = 16 * 1_048_576;

/** The caller may do there what it may do here, and no more. */
export async function answerForwarded({ fetch }: Pick<Api, "fetch">, call: AskedCall): Promise<AskedAnswer> {
  const { method, path, body, idempotencyKey, caller, access, actor } = call;
  const request = new Request(`http://worker.invalid${path}`, {
    method,
    headers: {
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }),
    },
    ...(body === null ? {} : { body }),
  });
  const response = await fetch(request, {
    asked: { caller, actor, ...(access === null ? {} : { access }) },
  });
  const bytes = await bytesOf(response);
  return bytes === null ? answerOf(problemResponse(TOO_LARGE)) : shown(response, bytes);
}

async function answerOf(response: Response): Promise<AskedAnswer> {
  return shown(response, new Uint8Array(await response.arrayBuffer()));
}

function shown({ status, headers }: Response, bytes: Uint8Array): AskedAnswer {
  return { status, type: headers.get("content-type") ?? "application/json", body: bytes.toBase64() };
}

/** Null if there are too many. */
async function bytesOf({ body }: Response): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    // What is left of the answer is not made.
    if (length > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

const TOO_LARGE: Problem = {
  kind: "failed",
  code: "answer_too_large",
  message: "The answer of the worker that holds the files has more than 16 MiB.",
  remedy: "Ask for less, such as one file; or ask on its machine.",
};
