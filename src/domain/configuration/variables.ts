/** Finds `TAZUNA_*` variables of an environment that nothing reads, and which was probably meant. */
import { nearestWord } from "../text/nearest.ts";
import { settableVariables, unsettableVariables } from "./environment.ts";
import { OWN_VARIABLES, otherVariables } from "./own-variables.ts";

export interface UnknownVariable {
  readonly name: string;
  /** One sentence. */
  readonly message: string;
}

/** By name. */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
): readonly UnknownVariable[] {
  const known = [...OWN_VARIABLES, ...settableVariables()];
  return otherVariables(env)
    .filter((name) => !known.includes(name))
    .sort()
    .map((name) => ({ name, message: messageFor(name, known) }));
}

function messageFor(name: string, known: readonly string[]): string {
  if (unsettableVariables().includes(name))
    return `${name} is not read: a variable sets single values only, and this key belongs into a file.`;
  const short = (variable: string) => variable.slice("TAZUNA_".length);
  const near = nearestWord(short(name), known.map(short));
  return `${name} is not read${near === null ? "" : `; did you mean TAZUNA_${near}?`}${near === null ? "." : ""}`;
}
