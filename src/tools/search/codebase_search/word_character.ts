/** Knows what is a letter of a word, as `\w` has it. */
import type { CharacterTest } from "./compile_regex.ts";

const WORD = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/v;
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => Number(WORD.test(String.fromCharCode(code))));
/** More than a text in one writing system has; one that has more is asked about anew. */
const MOST_KNOWN = 100_000;
const known = new Map<number, boolean>();

export const isWordCharacter: CharacterTest = (code) => {
  if (code < 128) return ASCII[code] === 1;
  const said = known.get(code);
  if (said !== undefined) return said;
  const belongs = WORD.test(String.fromCodePoint(code));
  if (known.size < MOST_KNOWN) known.set(code, belongs);
  return belongs;
};
