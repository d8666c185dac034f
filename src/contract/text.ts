/** Offers text functions to CLI, API and MCP: cleaning, quoting, and finding the word that was probably meant. */

export { nearestWord } from "../domain/text/nearest.ts";
export { shellWord } from "../domain/text/shell-word.ts";

/** Escape sequences of terminals: CSI, OSC and other strings up to their terminator, and two-character escapes. */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;

/** Control characters other than tab and newline, and those that reorder or hide text. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]/g;

/** `text` without characters that could steer a terminal or reorder the text; tabs and newlines stay. */
export function cleanText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(ESCAPES, "").replace(CONTROLS, "");
}

/** The same on one line: every run of white space is one space. */
export function cleanLine(text: string): string {
  return cleanText(text.replace(/\r/g, "\n")).replace(/\s+/g, " ").trim();
}

/** The same text with every control character made visible, for a reader who must see all (diffs); newlines stay. */
export function visibleText(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}
