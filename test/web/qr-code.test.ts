/** Reads QR codes back, to show that they say the text and that their correction is right. */
import { expect, test } from "bun:test";
import { qrCode } from "../../web/src/features/settings/qr/code.ts";

/** Level M: data bytes, correction bytes of a block, blocks; by version. */
const LAYOUT: Readonly<Record<number, readonly [data: number, correction: number, blocks: number]>> = {
  1: [16, 10, 1],
  3: [44, 26, 1],
  5: [86, 24, 2],
  7: [124, 18, 4],
  8: [154, 22, 4],
  10: [216, 26, 5],
};

const MASKS = [
  (r: number, c: number) => (r + c) % 2,
  (r: number) => r % 2,
  (_: number, c: number) => c % 3,
  (r: number, c: number) => (r + c) % 3,
  (r: number, c: number) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2,
  (r: number, c: number) => ((r * c) % 2) + ((r * c) % 3),
  (r: number, c: number) => (((r * c) % 2) + ((r * c) % 3)) % 2,
  (r: number, c: number) => (((r + c) % 2) + ((r * c) % 3)) % 2,
];

const ALIGNED: Readonly<Record<number, readonly number[]>> = {
  3: [6, 22],
  5: [6, 30],
  7: [6, 22, 38],
  8: [6, 24, 42],
  10: [6, 28, 50],
};

/** What is no data: told from the standard's picture, not from the code that draws. */
function isPattern(version: number, size: number, r: number, c: number): boolean {
  if (r === 6 || c === 6) return true;
  if ((r < 9 && c < 9) || (r < 9 && c >= size - 8) || (r >= size - 8 && c < 9)) return true;
  if (version >= 7 && ((r < 6 && c >= size - 11) || (c < 6 && r >= size - 11))) return true;
  const middles = ALIGNED[version] ?? [];
  const last = middles.at(-1);
  return middles.some((row) =>
    middles.some(
      (column) =>
        !(row === 6 && (column === 6 || column === last)) &&
        !(row === last && column === 6) &&
        Math.abs(r - row) < 3 &&
        Math.abs(c - column) < 3,
    ),
  );
}

function wordsOf(rows: readonly (readonly boolean[])[], version: number): readonly number[] {
  const size = rows.length;
  const at = (r: number, c: number) => (rows[r]?.[c] === true ? 1 : 0);
  const mask = [2, 3, 4].map((c) => at(8, c)).reduce<number>((all, bit) => all * 2 + bit, 0) ^ 0b101;
  const bits: number[] = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1)
      for (const c of [right, right - 1]) {
        const r = isUp ? size - 1 - step : step;
        if (!isPattern(version, size, r, c)) bits.push(at(r, c) ^ (MASKS[mask]?.(r, c) === 0 ? 1 : 0));
      }
    isUp = !isUp;
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((all, bit) => all * 2 + bit, 0),
  );
}

/** Multiplies in the field by shifting, without tables. */
function times(one: number, other: number): number {
  let [product, left, right] = [0, one, other];
  for (; right > 0; right >>= 1) {
    if (right & 1) product ^= left;
    left = left < 128 ? left << 1 : (left << 1) ^ 0x11d;
  }
  return product;
}

/** A block is right if it has every root of the generator. */
function isRight(block: readonly number[], correction: number): boolean {
  let root = 1;
  for (let index = 0; index < correction; index += 1) {
    if (block.reduce((sum, word) => times(sum, root) ^ word, 0) !== 0) return false;
    root = times(root, 2);
  }
  return true;
}

test.each([
  [1, "kura.local"],
  [3, "https://box.example:7460/sign-in?code=1"],
  [5, `https://tazuna.example.com/sign-in?code=${"a".repeat(32)}`],
  [7, `https://${"sub.".repeat(12)}example.com/sign-in?code=${"Z".repeat(32)}`],
  [8, "手".repeat(45)],
  [10, "x".repeat(212)],
])("version %p says its text, and every block of it is right", (version, text) => {
  const rows = qrCode(text) ?? [];
  expect(rows.length).toBe(version * 4 + 17);
  const words = wordsOf(rows, version);
  const [data, correction, blocks] = LAYOUT[version] ?? [0, 0, 1];
  const [short, long] = [Math.floor(data / blocks), data % blocks];
  const parts: number[][] = Array.from({ length: blocks }, () => []);
  let at = 0;
  for (let index = 0; index <= short; index += 1)
    for (const [number, part] of parts.entries())
      if (index < short || number >= blocks - long) part.push(words[at++] ?? 0);
  const checks: number[][] = parts.map(() => []);
  for (let index = 0; index < correction; index += 1) for (const part of checks) part.push(words[at++] ?? 0);
  expect(parts.every((part, index) => isRight([...part, ...(checks[index] ?? [])], correction))).toBe(true);
  const bits = parts
    .flat()
    .flatMap((word) => [...word.toString(2).padStart(8, "0")])
    .join("");
  const lengthBits = version < 10 ? 8 : 16;
  const length = Number.parseInt(bits.slice(4, 4 + lengthBits), 2);
  const bytes = Array.from({ length }, (_, index) =>
    Number.parseInt(bits.slice(4 + lengthBits + index * 8).slice(0, 8), 2),
  );
  expect(bits.slice(0, 4)).toBe("0100");
  expect(new TextDecoder().decode(new Uint8Array(bytes))).toBe(text);
});

test("a text that no code of these versions holds gives none", () => {
  expect(qrCode("x".repeat(214))).toBeNull();
});
