/** Words an HTTP error as the OpenAI formats do. */
import type { JsonRecord } from "./json.ts";
import type { Failure } from "./wire-format.ts";

/** The body of the error. */
export function openaiFailure({ status, message }: Failure): JsonRecord {
  const known = KINDS[status];
  return {
    error: { message, type: known?.type ?? "server_error", param: null, code: known?.code ?? null },
  };
}

const KINDS: Readonly<Record<number, { readonly type: string; readonly code: string | null }>> = {
  400: { type: "invalid_request_error", code: null },
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  403: { type: "invalid_request_error", code: null },
  404: { type: "invalid_request_error", code: "model_not_found" },
  429: { type: "requests", code: "rate_limit_exceeded" },
};
