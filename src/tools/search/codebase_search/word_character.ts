/** Knows which characters belong to words, and which assertions hold between two characters. */
import type { CharacterTest } from "./compile_regex.ts";
import type { Assertion } from "./parse_regex.ts";

const WORD = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/v;
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => Number(WORD.test(String.fromCharCode(code))));
/** More than a text in one writing system has. Further characters are tested anew each time. */
const MAX_KNOWN = 100_000;
const known = new Map<number, boolean>();

export const isWordCharacter: CharacterTest = (code) => {
  if (code < 128) return ASCII[code] === 1;
  const isWord = known.get(code);
  if (isWord !== undefined) return isWord;
  const belongs = WORD.test(String.fromCodePoint(code));
  if (known.size < MAX_KNOWN) known.set(code, belongs);
  return belongs;
};

/** The characters on both sides of the place; null at the ends of the line. */
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
