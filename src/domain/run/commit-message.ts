/** Writes the commit message of a run from the person's instruction and the agent's summary (seed 003 Phase 3). */

import { firstLine } from "../repository/naming.ts";
import { cutToColumns, wrapToColumns } from "../text/columns.ts";

interface CommitMessageParts {
  readonly instruction: string;
  /** The agent's closing words; empty if there were none. */
  readonly summary: string;
  /** The whole message as a person wrote it; null: subject and body come from instruction and summary. */
  readonly message: string | null;
  readonly taskId: string;
  readonly runId: string;
  /** `Name <address>` of every agent whose work it is; empty for a person's own edits. */
  readonly authors: readonly string[];
  /** The work of other attempts that is in it, a trailer each. */
  readonly from: readonly string[];
}

const SUBJECT_COLUMNS = 72;
const BODY_COLUMNS = 72;
const MAX_BODY_LINES = 40;

/**
 * Subject of at most 72 columns, a blank line, the wrapped summary, a blank line, the trailers. The language of the
 * instruction and of the summary is not changed.
 */
export function commitMessage(parts: CommitMessageParts): string {
  const trailers = [
    `Tazuna-Task: ${parts.taskId}`,
    `Tazuna-Run: ${parts.runId}`,
    ...parts.from.map((each) => `Tazuna-From: ${each}`),
    ...parts.authors.map((author) => `Co-authored-by: ${author}`),
  ];
  const text = parts.message === null ? generatedText(parts) : personsText(parts.message);
  return `${text}${endsInTrailers(text) ? "\n" : "\n\n"}${trailers.join("\n")}\n`;
}

function generatedText({ instruction, summary }: CommitMessageParts): string {
  const subject = subjectOf(instruction);
  return [subject, bodyOf(summary, subject)].filter((part) => part !== "").join("\n\n");
}

/** A person's own words are not changed, except for the trailers that only Tazuna writes. */
function personsText(message: string): string {
  const lines = withoutControls(message.replaceAll("\r\n", "\n"))
    .split("\n")
    .filter((line) => !/^\s*Tazuna-[A-Za-z]+\s*:/i.test(line));
  const text = lines.join("\n").trim();
  return text === "" ? "Update files" : text;
}

/** Whether the last paragraph is trailers already, such as `Fixes: #12`: the others join it. */
function endsInTrailers(text: string): boolean {
  const paragraphs = text.split(/\n{2,}/);
  const last = paragraphs.at(-1) ?? "";
  return paragraphs.length > 1 && last.split("\n").every((line) => /^[A-Za-z][A-Za-z0-9-]*: \S/.test(line));
}

/** Whether a commit message carries the trailer of this run. */
export function isCommitOfRun(message: string, runId: string): boolean {
  return message.split("\n").some((line) => line.trim() === `Tazuna-Run: ${runId}`);
}

/** A message that a hook of the repository changed, with the trailers of the original that the hook removed. */
export function withOwnTrailers(changed: string, first: string): string {
  const lines = new Set(changed.split("\n").map((line) => line.trim()));
  const block = first.trimEnd().split("\n\n").at(-1) ?? "";
  const missing = block.split("\n").filter((line) => TRAILER.test(line) && !lines.has(line.trim()));
  if (missing.length === 0) return changed;
  const kept = changed.trimEnd();
  const last = kept.split(/\n[ \t]*\n/).at(-1) ?? "";
  // One block: tools read the trailers of the last paragraph only.
  const isBlock = last !== kept && last.split("\n").every((line) => TRAILER.test(line));
  return `${kept}${isBlock ? "\n" : "\n\n"}${missing.join("\n")}\n`;
}

const TRAILER = /^[A-Za-z0-9-]+: ./;

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
  const kept = lines.length > MAX_BODY_LINES ? [...lines.slice(0, MAX_BODY_LINES - 1), "…"] : lines;
  // `git commit -m` keeps a line that begins with "#", but any later edit of the message loses it.
  return kept
    .map((line) => line.replace(/^#/, " #"))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd();
}

/** An agent cannot add trailers. Only Tazuna says which task a commit belongs to. */
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
