/** Makes the errors of the command line: one line of cause, one of remedy, and the exit code. */
import type { ApiError } from "../contract/problem.ts";
import type { CliError } from "./cli-options.ts";

const EXIT_OF: Readonly<Record<ApiError["kind"], CliError["exit"]>> = {
  bad_request: 2,
  needs_person: 3,
  unauthorized: 1,
  forbidden: 1,
  not_found: 1,
  conflict: 1,
  failed: 1,
  internal: 1,
  unreachable: 1,
};

/** What a refused call means for the one who typed the command. */
export function fromApi(error: ApiError): CliError {
  const { kind, code, message, remedy, details } = error;
  return { exit: EXIT_OF[kind], code, message, remedy, details };
}

/** The command was called the wrong way: nothing was done. */
export function badUsage(
  message: string,
  remedy: string,
  details: Readonly<Record<string, unknown>> = {},
): CliError {
  return { exit: 2, code: "bad_usage", message, remedy, details };
}

/** A surprise: something threw that never should. */
export function surprise(cause: unknown): CliError {
  return {
    exit: 1,
    code: "internal",
    message: `Something went wrong inside Tazuna: ${cause instanceof Error ? cause.message : String(cause)}.`,
    remedy: "`server.log` in the data folder may say more; asking again is safe.",
    details: cause instanceof Error && cause.stack !== undefined ? { stack: cause.stack } : {},
  };
}
