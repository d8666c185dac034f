/** Makes calls in the caller's environment, and sends that environment first. */
import { err, type Result } from "neverthrow";
import type { z } from "zod";
import { ENGINE_ENDPOINTS } from "../endpoints/engine.ts";
import type { ApiError } from "../problem.ts";
import { type Call, type Caller, callJson } from "./http-call.ts";

/** Names the environment that holds for a call, by the id under which it was sent. */
export const ENVIRONMENT_HEADER = "tazuna-environment";

/** The code of the answer to an id that the server does not know. */
export const ENVIRONMENT_UNKNOWN = "environment_unknown";

type ShellCall = <Schema extends z.ZodType>(
  call: Call,
  schema: Schema,
) => Promise<Result<z.output<Schema>, ApiError>>;

/** Without a shell these are plain calls. */
export function createShellCalls(caller: Caller): ShellCall {
  const { shell } = caller;
  if (shell === undefined) return (call, schema) => callJson(caller, call, schema);
  let handed: ReturnType<typeof hand> | null = null;
  const { method, path, answer } = ENGINE_ENDPOINTS.keepEnvironment;
  const hand = () => callJson(caller, { method, path, body: shell }, answer);
  return async (call, schema) => {
    const marked = { ...call, headers: { ...call.headers, [ENVIRONMENT_HEADER]: shell.id } };
    for (let tries = 0; ; tries++) {
      handed ??= hand();
      const before = await handed;
      if (before.isErr()) handed = null;
      // A server of an older version does not accept environments, and ignores the header.
      if (before.isErr() && before.error.code !== "no_such_address") return err(before.error);
      const answer = await callJson(caller, marked, schema);
      if (answer.isOk() || answer.error.code !== ENVIRONMENT_UNKNOWN || tries > 0) return answer;
      handed = null;
    }
  };
}
