/** Finds the match of a compiled expression in a line, in linear time (Thompson and Pike). */
import type { Step } from "./compile_regex.ts";
import { holds, type Place } from "./word_character.ts";

/** UTF-16 indexes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type SpanFinder = (line: string, from: number) => Span | null;

/** The ways that are followed at the same time, in the order of preference. */
interface Threads {
  readonly steps: Int32Array;
  readonly starts: Int32Array;
  count: number;
}

/** The leftmost match at or after `from`. Of several that begin there, the one that the expression prefers. */
export function spanFinder(program: readonly Step[]): SpanFinder {
  const size = program.length;
  const make = (): Threads => ({ steps: new Int32Array(size), starts: new Int32Array(size), count: 0 });
  let [now, next] = [make(), make()];
  const seenAt = new Int32Array(size).fill(-1);
  const stack: number[] = [];
  let mark = 0;

  /** Adds a step and all steps that it reaches without taking a character. */
  const add = (threads: Threads, step: number, start: number, place: Place) => {
    stack.push(step);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seenAt[at] === mark) continue;
      seenAt[at] = mark;
      const what = program[at];
      if (what === undefined) continue;
      if (what.op === "split") stack.push(what.second, what.first);
      else if (what.op === "assert") {
        if (holds(what.what, place)) stack.push(what.next);
      } else {
        threads.steps[threads.count] = at;
        threads.starts[threads.count] = start;
        threads.count += 1;
      }
    }
  };

  return (line, from) => {
    now.count = 0;
    let found: Span | null = null;
    let before = from > 0 ? (line.codePointAt(from - 1) ?? null) : null;
    mark += 1;
    for (let at = from; ; ) {
      const code = line.codePointAt(at) ?? null;
      const place = { before, after: code };
      if (found === null) add(now, 0, at, place);
      if (now.count === 0 && found !== null) return found;
      mark += 1;
      next.count = 0;
      const width = code !== null && code > 0xffff ? 2 : 1;
      const after = { before: code, after: line.codePointAt(at + width) ?? null };
      for (let index = 0; index < now.count; index++) {
        const step = program[now.steps[index] ?? 0];
        const start = now.starts[index] ?? 0;
        if (step?.op === "match") {
          found = { start, end: at };
          break;
        }
        if (step?.op === "take" && code !== null && step.test(code)) add(next, step.next, start, after);
      }
      if (code === null) return found;
      [now, next] = [next, now];
      before = code;
      at += width;
    }
  };
}
