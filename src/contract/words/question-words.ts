/** Tells in words what an agent asks, and how it can be answered. */
import type { RunDocument } from "../task-document.ts";

type Asking = NonNullable<RunDocument["question"]>;

/** A line each: the words, then what a person needs to judge them. The text is not cleaned yet. */
export function questionLines({ words, command, folder, touches, rule, options }: Asking): string[] {
  const named = options.filter(({ kind }) => kind !== "words").map(({ name }) => name);
  return [
    ...words.split("\n"),
    ...(command === null || command === words ? [] : [`Command: ${command}`]),
    ...(folder === null ? [] : [`Folder: ${folder}`]),
    ...(touches.length === 0 ? [] : [`Touches: ${touches.join(", ")}`]),
    `Rule: ${rule}`,
    ...(named.length === 0 ? [] : [`Options: ${named.join(", ")}`]),
  ];
}

/** The commands that answer it. */
export function answerCommands(run: string, { source }: Pick<Asking, "source">): readonly string[] {
  const answer = `tazuna answer ${run.slice(0, 8)}`;
  return source === "permission" ? [`${answer} --allow`, `${answer} --deny`] : [`${answer} --text "..."`];
}

/** Whether it asks because something reaches the network or leaves the worktree. Its rule says so. */
export function reachesOut({ rule }: Pick<Asking, "rule">): boolean {
  return /\breaches (?:the network|outside)\b/.test(rule);
}
