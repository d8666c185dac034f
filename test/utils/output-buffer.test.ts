import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createOutputBuffer } from "../../src/utils/files/output-buffer.ts";
import { inPieces } from "../helpers/chunks.ts";

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
const text = fc.string({ unit: "grapheme", maxLength: 60 });

function filled(bytes: Uint8Array, pieces: readonly number[], maxBytes: number) {
  const buffer = createOutputBuffer({ maxBytes });
  for (const piece of inPieces(bytes, pieces)) buffer.push(piece);
  return buffer;
}

describe("an output buffer", () => {
  test("keeps any text that fits, however it is cut into chunks", () => {
    fc.assert(
      fc.property(text, lengths, (wanted, pieces) => {
        const bytes = Buffer.from(wanted);
        const buffer = filled(bytes, pieces, bytes.length);
        expect([buffer.text(), buffer.droppedBytes()]).toEqual([bytes.toString(), 0]);
      }),
    );
  });

  test("keeps a head of whole characters of text that does not fit, and counts the rest", () => {
    fc.assert(
      fc.property(text, lengths, fc.nat({ max: 80 }), (wanted, pieces, maxBytes) => {
        const bytes = Buffer.from(wanted);
        const buffer = filled(bytes, pieces, maxBytes);
        const kept = Buffer.from(buffer.text());
        expect(bytes.subarray(0, kept.length).equals(kept)).toBe(true);
        expect(kept.length + buffer.droppedBytes()).toBe(bytes.length);
        if (bytes.length > maxBytes) expect(maxBytes - kept.length).toBeLessThan(4);
      }),
    );
  });

  test("takes any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), lengths, fc.nat({ max: 40 }), (bytes, pieces, maxBytes) => {
        const buffer = filled(bytes, pieces, maxBytes);
        const kept = bytes.length - buffer.droppedBytes();
        expect(kept).toBeLessThanOrEqual(maxBytes);
        expect(buffer.text()).toBe(Buffer.from(bytes.subarray(0, kept)).toString());
      }),
    );
  });

  test("does not hold on to the chunks that it was given", () => {
    const buffer = createOutputBuffer({ maxBytes: 10 });
    const chunk = Buffer.from("abc");
    buffer.push(chunk);
    chunk.fill("x");
    expect(buffer.text()).toBe("abc");
  });
});
