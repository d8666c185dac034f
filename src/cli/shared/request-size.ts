/** Refuses texts that are too long for a request, and names them as the person knows them. */
import { MOST_BODY_BYTES } from "../../contract/limits.ts";
import { badUsage } from "./cli-error.ts";
import type { CliError } from "./cli-options.ts";

/**
 * The error if the engine would refuse the request for its size, else null. `texts`: its long parts, as a person
 * knows them.
 */
export function refuseTooLarge(
  request: unknown,
  texts: Readonly<Record<string, string | null | undefined>>,
): CliError | null {
  if (bytesAsSent(request) <= MOST_BODY_BYTES) return null;
  const given = Object.entries(texts).flatMap(([name, text]) => (text ? [[name, text] as const] : []));
  const long = given.find(([, text]) => bytesAsSent(text) > MOST_BODY_BYTES);
  if (long === undefined) return tooLarge(given.map(([name]) => name));
  const [name, text] = long;
  return tooLarge([name], Buffer.byteLength(text) > MOST_BODY_BYTES);
}

/** `whole`: the text itself is too long, not only its JSON form. */
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
