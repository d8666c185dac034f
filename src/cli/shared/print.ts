/** Writes the outcome of a command: one JSON document, or text for people; errors on one line. */
import { cleanLine } from "../../contract/text.ts";
import type { CliError } from "./cli-options.ts";
import type { Done } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** One JSON document. Control characters that JSON allows could steer a terminal, so they are escaped. */
export function jsonText(document: unknown, options: { readonly oneLine?: boolean } = {}): string {
  const text = JSON.stringify(document, null, options.oneLine ? undefined : 2);
  return `${text.replace(UNESCAPED, escaped)}\n`;
}

const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The text for a person, for lines of this many columns. */
export function textOf({ text = "" }: Done, columns: number): string {
  return typeof text === "string" ? text : text(columns);
}

/** With `--json` the document goes to stdout, as every answer does; else one line goes to stderr. */
export function printError(terminal: Terminal, error: CliError, options: { readonly json: boolean }): void {
  const { code, message, remedy, details } = error;
  const document = { error: { code, message, remedy, details } };
  const line = `tazuna: ${cleanLine(`${sentence(message)} ${remedy}`)}\n`;
  if (options.json) terminal.stdout.write(jsonText(document));
  if (!options.json) terminal.stderr.write(line);
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?。]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
