/** Finds `TAZUNA_*` variables of an environment that nothing reads, and which was probably meant. */
import { nearestWord } from "../text/nearest.ts";
import { settableVariables, unsettableVariables } from "./environment.ts";

/** Read by Tazuna itself, beside those that set a key of the configuration. */
const OWN = [
  "HOME",
  "DATABASE",
  "IDLE_EXIT",
  "GITHUB_TOKEN",
  "GITLAB_TOKEN",
  "GITEA_TOKEN",
  "MCP_TOKEN",
  // Tazuna sets these for the processes that it starts.
  "RUN",
  "ATTEMPT",
  "TASK",
  "WORKSPACE",
  "ISSUE_FILE",
  "PROMPT_FILE",
  "INSTRUCTION",
  "INSTRUCTION_FILE",
  "SUMMARY_FILE",
  "SANDBOX",
  "SCRIPT",
  "LENT_TOKENS",
  "GIT",
  "GUARD_TURNS",
  "EXEC",
  // For tests and measurements; CONTRIBUTING.md names them.
  "TIMING",
  "OUTPUT_LIMITS",
  "FAILPOINT",
  "DEMO_PAUSE_MS",
  "CRASH_ROUNDS",
  "CRASH_SEED",
  "DISK_ONE_OF",
  "DISK_ONLY",
  "GITS_KILLED",
  "GIT_ONLY",
  "TALLY",
  "MANY",
  "BENCH_EXEC",
].map((name) => `TAZUNA_${name}`);

export interface UnknownVariable {
  readonly name: string;
  /** One sentence. */
  readonly message: string;
}

/** By name. */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
): readonly UnknownVariable[] {
  const others = Object.keys(env)
    .filter((name) => name.startsWith("TAZUNA_") && !name.startsWith("TAZUNA_TEST_"))
    .filter((name) => !OWN.includes(name));
  // Most commands end here, and need no list of the settable ones.
  if (others.length === 0) return [];
  const known = [...OWN, ...settableVariables()];
  return others
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
