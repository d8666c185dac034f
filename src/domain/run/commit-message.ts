/** Writes the commit message of a run from the person's instruction and the agent's summary. */
import { cutToColumns, wrapToColumns } from "../text/columns.ts";
import { firstLine } from "./naming.ts";

export interface CommitMessageParts {
  readonly instruction: string;
  /** The agent's closing words; empty where it said none. */
  readonly summary: string;
  readonly taskId: string;
  readonly runId: string;
  /** `Name <address>` of the agent; null for a person's own edits. */
  readonly author: string | null;
}

const SUBJECT_COLUMNS = 72;
const BODY_COLUMNS = 72;
const MOST_BODY_LINES = 40;

/**
 * Subject of at most 72 columns, a blank line, the wrapped summary, a blank line, the trailers.
 * The language of the instruction and of the summary is kept as it is.
 */
export function commitMessage(parts: CommitMessageParts): string {
  const subject = subjectOf(parts.instruction);
  const body = bodyOf(parts.summary, subject);
  const trailers = [
    `Tazuna-Task: ${parts.taskId}`,
    `Tazuna-Run: ${parts.runId}`,
    ...(parts.author === null ? [] : [`Co-authored-by: ${parts.author}`]),
  ];
  return `${[subject, body, trailers.join("\n")].filter((part) => part !== "").join("\n\n")}\n`;
}

/** Whether a commit message carries the trailer of this run. */
export function isCommitOfRun(message: string, runId: string): boolean {
  return message.split("\n").some((line) => line.trim() === `Tazuna-Run: ${runId}`);
}

/** The instruction's first line as a subject: no courtesies, no closing full stop, a capital at the start. */
function subjectOf(instruction: string): string {
  const line = withoutControls(firstLine(instruction))
    .replace(/^(?:please|kindly|can you|could you|would you)[,\s]+(?:please\s+)?/i, "")
    .replace(/[.。!！?？]+$/, "")
    .trim();
  const sentence = /^(.{12,}?)[.。!！?？]\s/.exec(line)?.[1] ?? line;
  const subject = cutToColumns(sentence, SUBJECT_COLUMNS);
  return subject === "" ? "Update files" : subject.charAt(0).toUpperCase() + subject.slice(1);
}

function bodyOf(summary: string, subject: string): string {
  const text = withoutControls(summary).trim();
  if (text === "" || text.replace(/[.。]$/, "") === subject) return "";
  const lines = wrapToColumns(withoutTrailers(text), BODY_COLUMNS);
  const kept = lines.length > MOST_BODY_LINES ? [...lines.slice(0, MOST_BODY_LINES - 1), "…"] : lines;
  // A line that begins with "#" is kept by `git commit -m`, yet lost in any later edit of the message.
  return kept
    .map((line) => line.replace(/^#/, " #"))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd();
}

/** Words of an agent never become trailers: only Tazuna says which task a commit belongs to. */
function withoutTrailers(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*(?:Tazuna-[A-Za-z]+|Co-authored-by|Signed-off-by)\s*:/i.test(line))
    .join("\n");
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go.
  return text.replace(/\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]/g, "").replace(/\t/g, "  ");
}
