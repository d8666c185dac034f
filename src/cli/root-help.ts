/** Writes the help of the whole command line, and of a group of commands. */
import { VERBS } from "./verbs.ts";

/** Every command on one line; with `group`, only those of that group. */
export function helpText(group: string | null): string {
  const rows = Object.entries(VERBS)
    .filter(([name]) => group === null || name.startsWith(`${group} `))
    .map(([name, { usage, brief }]) => [`${name} ${usage}`.trim(), brief] as const);
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, brief]) => `  ${left.padEnd(width)}  ${brief}`);
  const name = group === null ? "tazuna" : `tazuna ${group}`;
  return [
    ...(group === null
      ? ["Runs coding agents side by side, each in its own git worktree. Only Tazuna writes git.", ""]
      : []),
    `Usage: ${name} COMMAND [ARGUMENTS] [--json]`,
    "",
    ...lines,
    "",
    `\`${name} COMMAND --help\` shows what a command takes. Ids may be cut to any unique beginning.`,
    ...(group === null
      ? ["Exit codes: 0 done, 1 failed, 2 bad usage, 3 a person is needed, 130 interrupted."]
      : []),
    "",
  ].join("\n");
}
