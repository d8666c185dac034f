/** Makes the answers to requests that are refused. */

import { err, type Result } from "neverthrow";
import type { ConfigurationError } from "../../domain/configuration/layers.ts";

/** Why a request was refused before anything was done; `code` is stable. */
export interface Refusal {
  readonly kind: "bad_request" | "not_found" | "conflict" | "needs_person" | "failed";
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A refusal with its remedy. */
export function refuse(
  kind: Refusal["kind"],
  code: string,
  message: string,
  options: { readonly remedy: string; readonly details?: Readonly<Record<string, unknown>> },
): Refusal {
  return { kind, code, message, remedy: options.remedy, details: options.details ?? {} };
}

/** The same as the result of a request. */
export function refused(...refusal: Parameters<typeof refuse>): Result<never, Refusal> {
  return err(refuse(...refusal));
}

/** No task, attempt or run (or repository) has this id. */
export function notFound(what: string, id: string): Refusal {
  const isRepository = what === "repository";
  const message = `No ${what} has the id ${isRepository ? "or the name " : ""}"${id}".`;
  return refuse("not_found", "not_found", message, {
    remedy: isRepository
      ? "`tazuna repo list` shows both; of the id any unique prefix will do."
      : "`tazuna list --all` shows the ids; any unique prefix will do.",
    details: { id },
  });
}

/** `named` is neither the name nor the id of a worker. */
export function noWorker(named: string): Refusal {
  return refuse("not_found", "not_found", `No worker has the name or the id "${named}".`, {
    remedy: "`tazuna workers` shows who is there, `tazuna workers --json` the ids too.",
    details: { id: named },
  });
}

/** An id in the form for messages: short enough to copy. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** The cursor of a list is no word that a page of this list named. */
export const BAD_CURSOR = refuse("bad_request", "bad_cursor", "The cursor is not one of ours.", {
  remedy: "Leave out `--cursor` (`cursor` of the API) to read the first page; each page names the next one.",
});

/** The run must end before the request can be carried out. */
export function notEnded(run: string): Refusal {
  const id = shortId(run);
  return refuse("conflict", "run_not_ended", `The run ${id} has not ended yet.`, {
    remedy: `Wait for it with \`tazuna wait ${id}\`, or end it with \`tazuna stop ${id}\`; then ask again.`,
  });
}

/** Says in one line what is wrong with a configuration. */
export function configurationRefusal(error: ConfigurationError): Refusal {
  const { source, key, line, message } = error;
  const place = line === undefined ? source : `${source}:${line}`;
  return refuse("bad_request", "bad_configuration", `${place}: ${message}`, {
    remedy: `Correct ${source}; \`tazuna config --schema\` lists every key.`,
    details: { source, key, line: line ?? null },
  });
}

/** Several ids begin with this prefix; the command lists them, and `id` is one of them. */
export function ambiguousPrefix(
  prefix: string,
  known: { readonly command: string; readonly id: string; readonly candidates: readonly unknown[] },
): Refusal {
  return refuse("bad_request", "ambiguous_id", `"${prefix}" is the beginning of several ids.`, {
    remedy: `\`${known.command}\` lists the ids; give more of it, such as ${shortId(known.id)}.`,
    details: { candidates: known.candidates },
  });
}
