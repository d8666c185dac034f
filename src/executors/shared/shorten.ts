/** Shortens what agents write, so that it fits into a log line or a commit message. */
import { stripVTControlCharacters } from "node:util";

/** Characters (UTF-16 units) of a tool's output that an event carries. */
const MAX_OUTPUT_CHARS = 4_000;
/** Characters of a message, a thought or a closing summary. */
const MAX_TEXT_CHARS = 50_000;
const MAX_TITLE_CHARS = 200;

/** At most `most` UTF-16 units; a cut never splits a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most);
  return /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
}

export const cutOutput = (text: string): string => cut(text, MAX_OUTPUT_CHARS);

export const cutText = (text: string): string => cut(text, MAX_TEXT_CHARS);

/** One line that a person can read. */
export function oneLine(text: string, most: number = MAX_TITLE_CHARS): string {
  const line = cut(text, most * 4)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a title must not carry terminal escapes
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim();
  return line.length <= most ? line : `${cut(line, most - 1)}…`;
}

/** The last line that is not blank. */
export const lastLine = (text: string): string => lastLines(text, 1);

/** The last lines that are not blank, joined to one, without terminal colours. */
export function lastLines(text: string, most: number): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .slice(-most)
    .join(" ");
}
