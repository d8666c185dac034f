/** Refuses what is too long for a request, in the words of whoever typed it. */
import { MOST_BODY_BYTES } from "../contract/limits.ts";
import type { CreateTaskRequest } from "../contract/requests.ts";
import { badUsage } from "./cli-error.ts";
import type { CliError } from "./cli-options.ts";

/** The error where the engine would not take the request; null where it will. */
export function refuseTooLarge(request: CreateTaskRequest): CliError | null {
  if (bytesAsSent(request) <= MOST_BODY_BYTES) return null;
  const texts: readonly (readonly [string, string])[] = [
    ["the instruction", request.issue],
    ["--title", request.title ?? ""],
    ["--context", request.context ?? ""],
    ["--constraints", request.constraints ?? ""],
  ];
  const given = texts.filter(([, text]) => text !== "");
  const long = given.find(([, text]) => bytesAsSent(text) > MOST_BODY_BYTES);
  if (long === undefined) return tooLarge(given.map(([name]) => name));
  const [name, text] = long;
  return tooLarge([name], Buffer.byteLength(text) > MOST_BODY_BYTES);
}

/** `whole`: it is so by itself, not only by what JSON adds. */
export function tooLarge(names: readonly string[], whole = true): CliError {
  const [first = "", ...others] = names;
  const all = [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...others].join(" and ");
  const why = whole ? "" : " as it is sent, where quotes and line ends count twice";
  return badUsage(
    `${all} ${others.length === 0 ? "is" : "are together"} larger than 1 MiB${why}.`,
    "Put long material into a file of the repository and name it in the instruction.",
  );
}

function bytesAsSent(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
