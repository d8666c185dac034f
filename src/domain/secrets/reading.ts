/** Decodes a text near all its encoded parts, and maps each place back to the written text. */
import { type Rewrite, rewritesOf } from "./rewrites.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Reading {
  readonly text: string;
  /** The part of the written text from which a part of the reading came. */
  readonly written: (part: Span) => Span;
}

/** How much is read before and after, within the line: the name of a secret is near it. */
const BEFORE = 400;
const BEHIND = 800;

/** Characters as they were written, or in decoded form. */
interface Run extends Span {
  /** Its offset in the reading. */
  readonly at: number;
  readonly isRewritten: boolean;
}

/** Null if the text has no encoded part. */
export function readingOf(written: string): Reading | null {
  const rewrites = rewritesOf(written);
  if (rewrites.length === 0) return null;
  const runs: Run[] = [];
  const parts: string[] = [];
  let at = 0;
  const add = (text: string, run: Omit<Run, "at">) => {
    runs.push({ at, ...run });
    parts.push(text);
    at += text.length;
  };
  for (const { start, end, inside } of windowsOf(written, rewrites)) {
    let from = start;
    for (const one of inside) {
      add(written.slice(from, one.start), { start: from, end: one.start, isRewritten: false });
      add(one.to, { start: one.start, end: one.end, isRewritten: true });
      from = one.end;
    }
    add(`${written.slice(from, end)}\n`, { start: from, end, isRewritten: false });
  }
  return {
    text: parts.join(""),
    written: ({ start, end }) => ({ start: runAt(runs, start).start, end: runAt(runs, end - 1).end }),
  };
}

interface Window extends Span {
  readonly inside: readonly Rewrite[];
}

/** Whole lines around the rewrites; windows that touch are joined. */
function windowsOf(written: string, rewrites: readonly Rewrite[]): readonly Window[] {
  const windows: { start: number; end: number; inside: Rewrite[] }[] = [];
  for (const one of rewrites) {
    const last = windows.at(-1);
    if (last !== undefined && one.start <= last.end) {
      last.inside.push(one);
      if (one.end + BEHIND > last.end) last.end = lineEnd(written, one.end + BEHIND);
      continue;
    }
    const least = last?.end ?? 0;
    const start = written.lastIndexOf("\n", Math.max(0, one.start - BEFORE)) + 1;
    const end = lineEnd(written, one.end + BEHIND);
    windows.push({ start: Math.max(start, least), end, inside: [one] });
  }
  return windows;
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
}

/** The written place of one character of the reading. */
function runAt(runs: readonly Run[], at: number): Span {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((runs[middle]?.at ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  if (run === undefined) return { start: 0, end: 0 };
  if (run.isRewritten) return run;
  const start = Math.min(run.start + at - run.at, run.end);
  return { start, end: Math.min(start + 1, run.end) };
}
