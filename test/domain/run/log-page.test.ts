import { describe, expect, test } from "bun:test";
import type { LogLine } from "../../../src/domain/run/log.ts";
import { chooseLines, MOST_SEARCHED } from "../../../src/domain/run/log-page.ts";

const lineAt = (n: number): LogLine => ({
  n,
  at: null,
  source: "agent",
  event: { text: n % 10 === 0 ? `Says "ten" ${n}` : `m${n}` },
});
const page = (total: number, asked: Partial<Parameters<typeof chooseLines>[1]>) => {
  const steps = chooseLines(total, { after: 0, before: null, limit: 5, query: null, ...asked }, lineAt);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const chosen = step.value;
  return { ...chosen, lines: chosen.lines.map(({ n }) => n) };
};

describe("a page of a log", () => {
  test("pauses after each line that a search looks at, so that others come in between", () => {
    const asked = { after: 0, before: null, limit: 5, query: "nowhere" };
    for (const before of [null, 101]) {
      let pauses = 0;
      for (const _ of chooseLines(100, { ...asked, before }, lineAt)) pauses += 1;
      expect(pauses).toBe(100);
    }
  });

  test("reads on from a line, and back from a line", () => {
    expect(page(12, {})).toEqual({ lines: [1, 2, 3, 4, 5], next: 5, previous: null });
    expect(page(12, { after: 9 })).toEqual({ lines: [10, 11, 12], next: 12, previous: 10 });
    expect(page(12, { before: 10 })).toEqual({ lines: [5, 6, 7, 8, 9], next: 9, previous: 5 });
    expect(page(12, { before: 5 })).toEqual({ lines: [1, 2, 3, 4], next: 4, previous: null });
    expect(page(0, {})).toEqual({ lines: [], next: 0, previous: null });
  });

  test("read back from the end, page by page, has every line once", () => {
    const seen: number[] = [];
    let before: number | null = 1_000;
    while (before !== null) {
      const chosen: ReturnType<typeof page> = page(23, { before });
      seen.unshift(...chosen.lines);
      before = chosen.previous;
    }
    expect(seen).toEqual(Array.from({ length: 23 }, (_, i) => i + 1));
  });

  test("a search finds words in any case, with quotes, and says how far it looked", () => {
    expect(page(100, { query: 'SAYS "TEN"', limit: 3 })).toEqual({
      lines: [10, 20, 30],
      next: 30,
      previous: null,
    });
    expect(page(100, { query: "says", limit: 2, before: 101 })).toEqual({
      lines: [90, 100],
      next: 100,
      previous: 90,
    });
    expect(page(100_000, { query: "nowhere" })).toEqual({ lines: [], next: MOST_SEARCHED, previous: null });
    expect(page(100_000, { query: "nowhere", before: 100_001 })).toEqual({
      lines: [],
      next: 100_000,
      previous: 100_001 - MOST_SEARCHED,
    });
  });
});
