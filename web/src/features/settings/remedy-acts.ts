/** Finds in a remedy what this page can do by itself; commands for a terminal can be copied. */

export type RemedyAct =
  | { readonly kind: "trust" }
  | { readonly kind: "storage" }
  | { readonly kind: "attempt"; readonly id: string }
  /** A clean-up that cannot go on: it is tried at once. */
  | { readonly kind: "cancel"; readonly id: string }
  | { readonly kind: "copy"; readonly command: string };

/** In the order of the text, each once. */
export function actsOf(remedy: string): readonly RemedyAct[] {
  const commands = [...remedy.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => command.trim());
  const acts = commands.flatMap((command): readonly RemedyAct[] => {
    const own = actOf(command.replace(/^cd (?:'[^']*'|\S+) && /, ""));
    return own !== null ? [own] : PROGRAMS.test(command) ? [{ kind: "copy", command }] : [];
  });
  const told = acts.map((act) => JSON.stringify(act));
  return acts.filter((_, index) => told.indexOf(told[index] ?? "") === index);
}

/** What a person types in a terminal; names of settings and files are no commands. */
const PROGRAMS =
  /^(?:tazuna|git|cd|npm|npx|apt|apt-get|brew|sudo|mv|rm|claude|codex|gemini|opencode|kill|chmod)\s/;

function actOf(command: string): RemedyAct | null {
  const [program, verb, word] = command.split(/\s+/);
  if (program !== "tazuna") return null;
  if (verb === "trust") return { kind: "trust" };
  if (verb === "clean" || verb === "trash") return { kind: "storage" };
  if (!isId(word)) return null;
  if (verb === "cancel") return { kind: "cancel", id: word };
  return verb === "show" || verb === "continue" || verb === "logs" ? { kind: "attempt", id: word } : null;
}

function isId(word: string | undefined): word is string {
  return word !== undefined && /^[0-9a-f-]{8,36}$/.test(word);
}
