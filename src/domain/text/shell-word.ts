/** Quotes one word for a shell's command line. */

/**
 * One word of a shell's command line, quoted if need be. Terminals do not show control characters and runs of spaces
 * as they are. These are written in a form that bash, zsh and ksh read back.
 */
export function shellWord(text: string): string {
  if (/\p{Cc}|\s\s/u.test(text)) return `$'${text.replace(/[\\']|\p{Cc}|(?<=\s)\s/gu, spelled)}'`;
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function spelled(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}
