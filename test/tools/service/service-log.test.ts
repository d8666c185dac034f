import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createServiceLog, type LogStream } from "../../../src/tools/service/service-log.ts";

const ALL = { stream: "both", after: 0, maxChars: 1_000_000 } as const;

describe("the log of a service", () => {
  test("keeps both streams in the order in which they came, and each by itself", () => {
    const log = createServiceLog({ maxChars: 100 });
    for (const [stream, text] of [
      ["stdout", "a"],
      ["stderr", "B"],
      ["stdout", "c"],
      ["stdout", ""],
    ] as const)
      log.push(stream, text);
    expect(log.read(ALL)).toEqual({ text: "aBc", cursor: 3, more: false, dropped: 0 });
    expect(log.read({ ...ALL, stream: "stdout" }).text).toBe("ac");
    expect(log.read({ ...ALL, stream: "stderr" })).toEqual({ text: "B", cursor: 3, more: false, dropped: 0 });
  });

  test("is read on from a cursor, whichever stream is read", () => {
    const log = createServiceLog({ maxChars: 100 });
    log.push("stdout", "one\n");
    log.push("stderr", "two\n");
    const { cursor } = log.read({ ...ALL, maxChars: 5 });
    expect(cursor).toBe(5);
    expect(log.read({ ...ALL, after: cursor }).text).toBe("wo\n");
    log.push("stdout", "three\n");
    expect(log.read({ ...ALL, stream: "stdout", after: cursor })).toEqual({
      text: "three\n",
      cursor: 14,
      more: false,
      dropped: 0,
    });
    expect(log.read({ ...ALL, after: 99 })).toEqual({ text: "", cursor: 14, more: false, dropped: 0 });
  });

  test("without a cursor the end of it is read", () => {
    const log = createServiceLog({ maxChars: 100 });
    log.push("stdout", "0123456789");
    expect(log.read({ stream: "both", after: null, maxChars: 4 })).toEqual({
      text: "6789",
      cursor: 10,
      more: false,
      dropped: 0,
    });
  });

  test("says how much is gone once it was full", () => {
    const log = createServiceLog({ maxChars: 10_000 });
    for (let n = 0; n < 30; n++) log.push("stdout", String(n % 10).repeat(1000));
    const page = log.read(ALL);
    expect(page.text.length).toBeGreaterThanOrEqual(7500);
    expect(page.text.length).toBeLessThanOrEqual(10_000);
    expect(page.dropped + page.text.length).toBe(30_000);
    expect(log.read({ ...ALL, after: 29_500 })).toEqual({
      text: "9".repeat(500),
      cursor: 30_000,
      more: false,
      dropped: 0,
    });
  });

  test("never splits a surrogate pair, wherever it is cut", () => {
    const log = createServiceLog({ maxChars: 100 });
    log.push("stdout", "🐎🐎🐎");
    expect(log.read({ ...ALL, maxChars: 3 })).toEqual({ text: "🐎", cursor: 2, more: true, dropped: 0 });
    expect(log.read({ ...ALL, after: 1 }).text).toBe("🐎🐎");
    expect(log.read({ stream: "both", after: null, maxChars: 3 }).text).toBe("🐎");
  });

  test("nor where a long text is kept in pieces", () => {
    const log = createServiceLog({ maxChars: 100_000 });
    log.push("stdout", `x${"🐎".repeat(10_000)}`);
    for (const maxChars of [4096, 4097, 8193, 20_001]) {
      const page = log.read({ ...ALL, maxChars });
      expect([maxChars, page.text.isWellFormed(), page.text.length >= maxChars - 1]).toEqual([
        maxChars,
        true,
        true,
      ]);
      expect(log.read({ ...ALL, after: page.cursor }).text.isWellFormed()).toBe(true);
    }
  });

  test("tells its listeners everything, until they have heard enough", () => {
    const log = createServiceLog({ maxChars: 10 });
    const heard: string[] = [];
    const stop = log.listen((stream, text) => heard.push(`${stream} ${text}`));
    log.push("stderr", "x".repeat(20));
    stop();
    log.push("stdout", "unheard");
    expect(heard).toEqual([`stderr ${"x".repeat(20)}`]);
  });

  test("stays small for a program that writes byte by byte to both streams in turn, and quick", () => {
    const log = createServiceLog({ maxChars: 1_048_576 });
    for (let n = 0; n < 1_000_000; n++) log.push(n % 2 === 0 ? "stdout" : "stderr", "x");
    const page = log.read({ ...ALL, maxChars: 2_000_000 });
    expect(page.dropped + page.text.length).toBe(1_000_000);
    expect(page.text.length).toBeGreaterThanOrEqual(8000);
  });

  test("whatever is written and however it is read page by page: nothing twice, nothing missing, no half characters", () => {
    const write = fc.tuple(
      fc.constantFrom<LogStream>("stdout", "stderr"),
      fc.oneof(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: fc.constantFrom("a", "🐎"), maxLength: 50 }),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(write, { maxLength: 60 }),
        fc.integer({ min: 10, max: 400 }),
        fc.integer({ min: 2, max: 30 }),
        fc.constantFrom<LogStream | "both">("stdout", "stderr", "both"),
        (writes, maxChars, pageChars, stream) => {
          const log = createServiceLog({ maxChars });
          for (const [to, text] of writes) log.push(to, text);
          const whole = writes.map(([, text]) => text).join("");
          const pages = [];
          for (let after = 0, more = true; more; ) {
            const page = log.read({ stream, after, maxChars: pageChars });
            expect(page.text.length).toBeLessThanOrEqual(pageChars);
            expect(page.text.isWellFormed()).toBe(true);
            expect(page.more ? page.cursor > after : page.cursor === whole.length).toBe(true);
            pages.push(page);
            after = page.cursor;
            more = page.more;
          }
          const read = pages.map(({ text }) => text).join("");
          const said = writes
            .flatMap(([to, text]) => (stream === "both" || to === stream ? text : []))
            .join("");
          expect(said.endsWith(read)).toBe(true);
          const dropped = pages[0]?.dropped ?? 0;
          if (dropped === 0) expect(read).toBe(said);
          if (stream === "both") expect(read.length).toBe(whole.length - dropped);
          expect(whole.length - dropped).toBeLessThanOrEqual(maxChars);
        },
      ),
      { numRuns: 500 },
    );
  });
});
