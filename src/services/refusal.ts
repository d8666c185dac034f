/** Makes the answers to requests that are refused. */
import type { Refusal } from "./services.ts";

/** A refusal with its remedy. */
export function refuse(
  kind: Refusal["kind"],
  code: string,
  message: string,
  options: { readonly remedy: string; readonly details?: Readonly<Record<string, unknown>> },
): Refusal {
  return { kind, code, message, remedy: options.remedy, details: options.details ?? {} };
}

/** No task, attempt or run (or repository) has this id. */
export function notFound(what: string, id: string): Refusal {
  return refuse("not_found", "not_found", `No ${what} has the id "${id}".`, {
    remedy: `\`${what === "repository" ? "tazuna repo list" : "tazuna list --all"}\` shows the ids; any unique prefix will do.`,
    details: { id },
  });
}
