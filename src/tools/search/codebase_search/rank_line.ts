/** Judges how relevant a line is, and in which order lines are shown. */
import type { FoundLine } from "./contract.ts";
import type { Span } from "./run_regex.ts";
import { isWordCharacter } from "./word_character.ts";

/** The words before a name that is being defined, in common languages. */
const DEFINES =
  /(?:^|[^\p{L}\p{N}_$.])(?:function\*?|func|fun|fn|def|defp?|defmodule|class|interface|trait|protocol|struct|enum|union|record|type|typedef|typealias|namespace|module|package|mod|impl|macro_rules!|const|let|var|val|static|sub|procedure|object|#define|CREATE\s+(?:TABLE|VIEW|FUNCTION|INDEX))\s+(?:[*&]|\([^()]*\)\s*|(?:mut|async)\s+)?$/iu;

const KINDS = ["definition", "word", "part"] as const;

export type MatchKind = (typeof KINDS)[number];

/** A definition is a whole word that follows a word such as `class`. */
export function kindOfMatch(line: string, { start, end }: Span): MatchKind {
  if (!isWhole(line, start, end)) return "part";
  return DEFINES.test(line.slice(Math.max(0, start - 80), start)) ? "definition" : "word";
}

/** A line to be sorted, with the facts about its file. */
export interface RankedLine {
  readonly found: FoundLine;
  /** Whether the name of the file matches too. */
  readonly isNamed: boolean;
}

export function byRank(a: RankedLine, b: RankedLine): number {
  const kinds = KINDS.indexOf(a.found.kind) - KINDS.indexOf(b.found.kind);
  if (kinds !== 0) return kinds;
  if (a.isNamed !== b.isNamed) return a.isNamed ? -1 : 1;
  if (a.found.path !== b.found.path) return a.found.path < b.found.path ? -1 : 1;
  return a.found.line - b.found.line;
}

export function isBetter(a: MatchKind, b: MatchKind): boolean {
  return KINDS.indexOf(a) < KINDS.indexOf(b);
}

/** Whether the span begins and ends at the edge of a word. */
function isWhole(line: string, start: number, end: number): boolean {
  return !isInsideWord(line, start) && !isInsideWord(line, end) && end > start;
}

function isInsideWord(line: string, at: number): boolean {
  const before = codeBefore(line, at);
  const after = line.codePointAt(at);
  return before !== undefined && after !== undefined && isWordCharacter(before) && isWordCharacter(after);
}

function codeBefore(line: string, at: number): number | undefined {
  const last = line.codePointAt(at - 1);
  const isLow = last !== undefined && last >= 0xdc00 && last <= 0xdfff;
  return isLow ? line.codePointAt(at - 2) : last;
}
