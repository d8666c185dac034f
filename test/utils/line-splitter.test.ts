import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLineSplitter, type SplitLine } from "../../src/utils/files/line-splitter.ts";
import { inPieces } from "../helpers/chunks.ts";

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });

function split(bytes: Uint8Array, pieces: readonly number[], maxLineBytes?: number): SplitLine[] {
  const splitter = createLineSplitter(maxLineBytes === undefined ? {} : { maxLineBytes });
  const lines = inPieces(bytes, pieces).flatMap((piece) => splitter.push(piece));
  const last = splitter.end();
  return last ? [...lines, last] : lines;
}

describe("the line splitter", () => {
  test("gives every line, whatever is in it and however it is cut into chunks", () => {
    const line = fc
      .string({ unit: "grapheme" })
      .map((text) => Buffer.from(text.replaceAll("\n", " ")).toString());
    fc.assert(
      fc.property(fc.array(line), lengths, (lines, pieces) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        expect(split(bytes, pieces).map(({ text }) => text)).toEqual(lines);
      }),
    );
  });

  test("tells where each line ends, so that reading can go on there", () => {
    fc.assert(
      fc.property(fc.uint8Array(), lengths, fc.nat(), (bytes, pieces, seed) => {
        const lines = split(bytes, pieces);
        expect(lines.at(-1)?.end ?? 0).toBe(bytes.length);
        if (lines.length === 0) return;
        const from = lines[seed % lines.length]?.end ?? 0;
        const rest = split(bytes.subarray(from), pieces).map((line) => ({ ...line, end: line.end + from }));
        expect(rest).toEqual(lines.slice((seed % lines.length) + 1));
      }),
    );
  });

  test("keeps no more of a line than its limit, and none of the lines around is lost", () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 200 }), lengths, (long, pieces) => {
        const bytes = Buffer.from(`a\n${"é".repeat(long)}\nb\n`);
        const [first, cut, last] = split(bytes, pieces, 15).map(({ text }) => text);
        expect([first, last]).toEqual(["a", "b"]);
        expect(cut).toBe(`${"é".repeat(7)}… [cut: ${long * 2 - 14} bytes]`);
      }),
    );
  });

  test("gives an unfinished last line at the end, once", () => {
    const splitter = createLineSplitter();
    expect(splitter.push(Buffer.from("a\r\n\nb"))).toEqual([
      { text: "a\r", end: 3 },
      { text: "", end: 4 },
    ]);
    expect(splitter.end()).toEqual({ text: "b", end: 5 });
    expect(splitter.end()).toBeNull();
  });

  test("holds a line of 8 MiB whole", () => {
    const text = "x".repeat(8 * 1024 * 1024);
    const lines = split(Buffer.from(`${text}\n${text}y\n`), [65_536]);
    expect(lines[0]?.text === text).toBe(true);
    expect(lines[1]?.text.slice(-17)).toBe("x… [cut: 1 bytes]");
  });
});
