/** Writes the help of the whole command line, and of a group of commands. */
import { VERB_GROUPS } from "./verb-groups.ts";
import { VERBS } from "./verbs.ts";

/** Every command on one line, sorted by purpose; with `topic`, only those of that group. */
export function helpText(topic: string | null): string {
  return topic === null ? wholeHelp() : partHelp(topic);
}

function wholeHelp(): string {
  const groups = Object.entries(VERB_GROUPS).map(([group, title]) => {
    const lines = linesOf(Object.keys(VERBS).filter((name) => VERBS[name]?.group === group));
    return [title, ...lines, ""];
  });
  return [
    "Runs coding agents side by side, each in its own git worktree.",
    "Only Tazuna writes git.",
    "",
    "Usage: tazuna COMMAND [ARGUMENTS] [--json]",
    "",
    ...groups.flat(),
    "`tazuna COMMAND --help` shows what a command takes.",
    "An id may be cut to any unique beginning; an attempt's branch serves as its id.",
    "Exit: 0 done, 1 failed, 2 bad usage, 3 a person is needed, 130 interrupted.",
    "",
  ].join("\n");
}

function partHelp(topic: string): string {
  const names = Object.keys(VERBS).filter((name) => name.startsWith(`${topic} `));
  return [
    `Usage: tazuna ${topic} COMMAND [ARGUMENTS] [--json]`,
    "",
    ...linesOf(names),
    "",
    `\`tazuna ${topic} COMMAND --help\` shows what a command takes.`,
    "",
  ].join("\n");
}

function linesOf(names: readonly string[]): string[] {
  return names.map((name) => {
    const { usage = "", brief = "" } = VERBS[name] ?? {};
    return `  ${`${name} ${usage}`.trim().padEnd(WIDTH)}  ${brief}`;
  });
}

/** The width of the left column in all groups, so that they line up. */
const WIDTH = Math.max(...Object.entries(VERBS).map(([name, { usage }]) => `${name} ${usage}`.trim().length));
