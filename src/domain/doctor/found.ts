/** Makes findings: what is left out is null. */
import type { Finding } from "./finding.ts";

type More = Partial<Omit<Finding, "id" | "level" | "what">>;

export function found(level: Finding["level"], id: string, what: string, more: More = {}): Finding {
  return { id, level, what, whose: null, why: null, bytes: null, path: null, remedy: null, ...more };
}

/**
 * One word of a shell's command line, quoted where it must be. Control characters and runs of spaces, which no terminal is
 * shown as they are, are spelled in a way that bash, zsh and ksh read back.
 */
export function shellWord(text: string): string {
  if (/\p{Cc}|\s\s/u.test(text)) return `$'${text.replace(/[\\']|\p{Cc}|(?<=\s)\s/gu, spelled)}'`;
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function spelled(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}

/** The first line of what a program said, with an end. */
export function sentence(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** Whose something is that concerns these repositories. */
export function repositoriesOf(names: readonly string[]): string {
  return `${names.length === 1 ? "repository" : "repositories"} ${listed(names)}`;
}

/** `one`, `one and two`, `one, two and three`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
