/** Marks the words that differ between a removed line and the one that took its place. */
import { longestCommon } from "./align.ts";

/** Where marks begin and end, in characters of the line. */
export type Marks = readonly (readonly [number, number])[];

interface WordDiff {
  readonly old: Marks;
  readonly new: Marks;
}

const NONE: WordDiff = { old: [], new: [] };
const MAX_LINE = 600;
const MAX_WORDS = 160;
/** If less than this part of the words is common, the marks would only be noise. */
const LEAST_COMMON = 0.25;

export function wordDiff(old: string, fresh: string): WordDiff {
  if (old === fresh || old.length > MAX_LINE || fresh.length > MAX_LINE) return NONE;
  const left = wordsOf(old);
  const right = wordsOf(fresh);
  if (left.length > MAX_WORDS || right.length > MAX_WORDS) return NONE;
  const pairs = longestCommon(left, right);
  const common = pairs.filter(([at]) => /\w/.test(left[at] ?? "")).length;
  const most = Math.max(left.filter(isWord).length, right.filter(isWord).length);
  if (most > 0 && common / most < LEAST_COMMON) return NONE;
  return {
    old: marksOf(left, new Set(pairs.map(([at]) => at))),
    new: marksOf(right, new Set(pairs.map(([, at]) => at))),
  };
}

const isWord = (text: string) => /\w/.test(text);

/** Words, runs of white space, and single signs. */
const wordsOf = (line: string): string[] => line.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];

/** Marks that only white space parts are one mark. */
function marksOf(words: readonly string[], common: ReadonlySet<number>): Marks {
  const marks: [number, number][] = [];
  let at = 0;
  words.forEach((word, index) => {
    const end = at + word.length;
    if (!common.has(index)) {
      const last = marks.at(-1);
      if (last !== undefined && last[1] === at) last[1] = end;
      else marks.push([at, end]);
    }
    at = end;
  });
  return marks;
}
