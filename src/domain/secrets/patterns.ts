/** Finds the patterns of a fake value: it repeats, it counts up, or it has few different characters. */
import { bitsPerCharacter } from "./randomness.ts";

/** A pattern marks the whole value only if it is this much of it. In a long value it occurs by chance. */
const MIN_SHARE = 0.25;

/** Six times one character, or most characters equal to the one before. Real base64 has runs of `A`, which is zero. */
export function repeatsOneCharacter(text: string): boolean {
  const doubled = (text.match(/([^A])(?=\1)/g) ?? []).length;
  if (doubled >= 0.5 * (text.length - 1)) return true;
  const others = lengthOf(text.match(/([^A])\1{5,}/g));
  const zeros = lengthOf(text.match(/A{6,}/g));
  return (others > 0 && others >= MIN_SHARE * text.length) || zeros > text.length / 2;
}

function lengthOf(parts: readonly string[] | null): number {
  return (parts ?? []).join("").length;
}

/** A generated value has nearly as many different characters as its alphabet allows. */
export function isFlat(text: string): boolean {
  const least = /^\d+$/.test(text) ? 2 : text.length < 20 ? 2.2 : 2.8;
  return bitsPerCharacter(text) < least;
}

const MAX_PERIOD = 24;
const LOOKED_AT = 240;

/** Three times the same, and long. */
const REPEATED = /([^A].{1,11}?)\1{2,}/;
const MAX_REPEATED_LENGTH = 17;

/** The same few characters again and again. */
export function isPeriodic(whole: string): boolean {
  const text = whole.slice(0, LOOKED_AT);
  if ((REPEATED.exec(text)?.[0].length ?? 0) > MAX_REPEATED_LENGTH) return true;
  for (let period = 1; period <= Math.min(MAX_PERIOD, text.length / 2); period++) {
    let same = 0;
    for (let at = period; at < text.length; at++) if (text[at] === text[at - period]) same += 1;
    if (same >= 0.9 * (text.length - period)) return true;
  }
  return false;
}

/** The same for letters alone, or digits alone. The six letters of hexadecimal follow each other by chance. */
const MIN_MIXED = 0.15;
const MIN_MIXED_HEX = 0.25;

/** `abcdef`, `123456`, and the same mixed: `a1b2c3d4e5f6`. */
export function countsUp(text: string): boolean {
  const lower = text.toLowerCase();
  const minMixed = text.length * (/^[0-9a-f]+$/.test(lower) ? MIN_MIXED_HEX : MIN_MIXED);
  return (
    countedIn(lower) > MIN_SHARE * text.length ||
    countedIn(lower.replace(/[^a-z]/g, "")) > minMixed ||
    countedIn(lower.replace(/\D/g, "")) > minMixed
  );
}

const MAX_COUNT_LENGTH = 6;

/** How many characters are in runs in which each follows the one before. */
function countedIn(text: string): number {
  let counted = 0;
  let up = 1;
  let down = 1;
  for (let at = 1; at <= text.length; at++) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    // After nine comes zero.
    const isUp = step === 1 || (step === -9 && text[at] === "0");
    if (!isUp && up >= MAX_COUNT_LENGTH) counted += up;
    if (step !== -1 && down >= MAX_COUNT_LENGTH) counted += down;
    up = isUp ? up + 1 : 1;
    down = step === -1 ? down + 1 : 1;
  }
  return counted;
}
