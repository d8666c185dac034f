/** Makes a QR code of a text: byte mode, level M, up to version 10 (ISO/IEC 18004). */
import { withCorrection } from "./correction.ts";
import { blankOf, type Modules, sizeOf } from "./patterns.ts";

/** Correction bytes of a block, and blocks, of each version at level M. */
const BLOCKS = [
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
  [26, 5],
] as const;

/** Rows of modules, true if dark. Null if the text is too long for version 10. */
export function qrCode(text: string): readonly (readonly boolean[])[] | null {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, index) => bytes.length <= roomOf(index + 1)) + 1;
  const layout = BLOCKS[version - 1];
  if (layout === undefined) return null;
  const [correction, blocks] = layout;
  const words = withCorrection(dataOf(bytes, version), { blocks, correction });
  const masked = MASKS.map((isInverted, mask) => drawn(version, mask, { words, isInverted }));
  return masked.reduce((best, each) => (penaltyOf(each) < penaltyOf(best) ? each : best));
}

/** Bytes of data and correction together: every module that is no pattern. */
function wordsOf(version: number): number {
  const { isFixed } = blankOf(version, 0);
  return Math.floor(isFixed.flat().filter((fixed) => !fixed).length / 8);
}

function dataBytesOf(version: number): number {
  const [correction, blocks] = BLOCKS[version - 1] ?? [0, 0];
  return wordsOf(version) - correction * blocks;
}

const lengthBitsOf = (version: number) => (version < 10 ? 8 : 16);

/** How many bytes of text fit: the mode takes four bits, the length 8 or 16. */
const roomOf = (version: number) => Math.floor((dataBytesOf(version) * 8 - 4 - lengthBitsOf(version)) / 8);

/** The mode, the length, the text, an end, and padding in turn. */
function dataOf(bytes: Uint8Array, version: number): readonly number[] {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, lengthBitsOf(version));
  for (const byte of bytes) put(byte, 8);
  const room = dataBytesOf(version);
  put(0, Math.min(4, room * 8 - bits.length));
  put(0, -bits.length & 7);
  for (let pad = 0xec; bits.length < room * 8; pad ^= 0xec ^ 0x11) put(pad, 8);
  return Array.from({ length: room }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((value, bit) => value * 2 + bit, 0),
  );
}

type Mask = (row: number, column: number) => boolean;

const MASKS: readonly Mask[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** The words go up and down in pairs of columns from the right, around what is fixed. */
function drawn(
  version: number,
  mask: number,
  { words, isInverted }: { readonly words: readonly number[]; readonly isInverted: Mask },
): Modules {
  const { modules, isFixed } = blankOf(version, mask);
  const size = sizeOf(version);
  let at = 0;
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        const line = modules[row];
        if (line === undefined || isFixed[row]?.[column] === true) continue;
        const bit = ((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
        at += 1;
        line[column] = (bit === 1) !== isInverted(row, column);
      }
    }
  }
  return modules;
}

/** Long runs, blocks, what looks like a finder, and an uneven share of dark make a code hard to read. */
function penaltyOf(modules: Modules): number {
  const columns = modules.map((_, index) => modules.map((row) => row[index] === true));
  const lines = [...modules, ...columns].map((line) => line.map((dark) => (dark ? "1" : "0")).join(""));
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).map((run) => run.length - 2);
  const finders = lines.flatMap((line) => line.match(/(?=00001011101|10111010000)/g) ?? []).length * 40;
  let blocks = 0;
  for (let row = 1; row < modules.length; row += 1)
    for (let column = 1; column < modules.length; column += 1) {
      const dark = modules[row]?.[column];
      const others = [modules[row - 1]?.[column], modules[row]?.[column - 1], modules[row - 1]?.[column - 1]];
      if (others.every((other) => other === dark)) blocks += 3;
    }
  const share = modules.flat().filter(Boolean).length / modules.length ** 2;
  const uneven = Math.floor(Math.abs(share - 0.5) * 20) * 10;
  return runs.reduce((sum, run) => sum + run, 0) + finders + blocks + uneven;
}
