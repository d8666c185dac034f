/** Finds commands by what was typed: every word must begin somewhere, the closest first. */
import type { Command } from "./commands.ts";

const PREFIXES: Readonly<Record<string, Command["section"]>> = { ">": "do", "#": "attempts", "@": "files" };

/** `>` looks among acts alone, `#` among attempts, `@` among files. Without a prefix, files come once something is typed. */
export function matching(commands: readonly Command[], typed: string): readonly Command[] {
  const section = PREFIXES[typed[0] ?? ""];
  const words = (section === undefined ? typed : typed.slice(1)).toLowerCase().split(/\s+/).filter(Boolean);
  return commands
    .filter((command) =>
      section === undefined ? command.section !== "files" || words.length > 0 : command.section === section,
    )
    .map((command) => ({ command, rank: rankOf(command, words) }))
    .filter(({ rank }) => rank !== null)
    .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
    .map(({ command }) => command);
}

/** Null if a word is nowhere; smaller is closer. */
function rankOf({ words, also = "", beside = "" }: Command, typed: readonly string[]): number | null {
  const name = words.toLowerCase();
  const rest = `${also} ${beside}`.toLowerCase();
  let rank = 0;
  for (const word of typed) {
    if (name.startsWith(word)) continue;
    if (name.includes(word)) rank += 1;
    else if (rest.includes(word)) rank += 2;
    else return null;
  }
  return rank;
}
