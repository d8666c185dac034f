/** Decides what an expression says of a place between two characters. */
import type { Assertion } from "./parse_regex.ts";
import { isWordCharacter } from "./word_character.ts";

/** The characters on both sides of it; null at the ends of the line. */
export interface Place {
  readonly before: number | null;
  readonly after: number | null;
}

export function holds(what: Assertion, { before, after }: Place): boolean {
  if (what === "line-start") return before === null;
  if (what === "line-end") return after === null;
  const isEdge = (before !== null && isWordCharacter(before)) !== (after !== null && isWordCharacter(after));
  return what === "word-edge" ? isEdge : !isEdge;
}
