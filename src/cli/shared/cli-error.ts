/** Makes the errors of the command line: one line of cause, one of remedy, and the exit code. */
import type { ApiError } from "../../contract/problem.ts";
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

/** The error of a refused call, in the terms of the command line. */
export function fromApi(error: ApiError): CliError {
  const { kind, code, message, details } = error;
  return { exit: EXIT_OF[kind], code, message, remedy: typedRemedy(error) ?? error.remedy, details };
}

/** A person at a command line sent no body and no query: the remedy names the flag instead. */
function typedRemedy({ details }: ApiError): string | null {
  const { in: part, path } = details;
  if ((part !== "body" && part !== "query") || typeof path !== "string") return null;
  const [field = ""] = path.split(/[.[]/, 1);
  const flag = FLAG_OF[field] ?? `--${field.replaceAll("_", "-")}`;
  const what = field === "" ? "what was typed" : flag;
  return `Correct ${what}, then type the command again; with \`--help\` behind it, it lists what it takes.`;
}

/** Fields that have another name on the command line. */
const FLAG_OF: Readonly<Record<string, string>> = {
  issue: "the instruction",
  instruction: "the instruction",
  repository: "--repo",
  path: "the folder",
  agents: "--agent",
  budget_usd: "--budget",
  settings: "the TAZUNA_ variable",
};

/** The command was called the wrong way: nothing was done. */
export function badUsage(
  message: string,
  remedy: string,
  details: Readonly<Record<string, unknown>> = {},
): CliError {
  return { exit: 2, code: "bad_usage", message, remedy, details };
}

/** The command could not do what was asked. */
export function failed({
  code,
  message,
  remedy,
  details = {},
}: Omit<CliError, "exit" | "details"> & Partial<Pick<CliError, "details">>): CliError {
  return { exit: 1, code, message, remedy, details };
}

/** An error that no code expects: a bug in Tazuna. */
export function unexpectedError(cause: unknown): CliError {
  return failed({
    code: "internal",
    message: `Something went wrong inside Tazuna: ${cause instanceof Error ? cause.message : String(cause)}.`,
    remedy: "`server.log` in the data folder may say more; asking again is safe.",
    details: cause instanceof Error && cause.stack !== undefined ? { stack: cause.stack } : {},
  });
}
