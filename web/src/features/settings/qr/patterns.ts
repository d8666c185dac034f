/** Draws what every QR code of a version has: finders, timing, alignment, its version, and how it is masked. */

/** Rows of modules; true is dark. */
export type Modules = boolean[][];

/** Where the middles of the alignment patterns are, on both axes, from version 2 on. */
const ALIGNED = [
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
] as const;

export const sizeOf = (version: number): number => version * 4 + 17;

interface Blank {
  readonly modules: Modules;
  /** What is no data. */
  readonly isFixed: Modules;
}

export function blankOf(version: number, mask: number): Blank {
  const size = sizeOf(version);
  const grid = (): Modules => Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const blank = { modules: grid(), isFixed: grid() };
  const set = (row: number, column: number, dark: boolean) => {
    const [line, fixed] = [blank.modules[row], blank.isFixed[row]];
    if (line === undefined || fixed === undefined || column < 0 || column >= size) return;
    line[column] = dark;
    fixed[column] = true;
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  drawSquares(version, set);
  drawFormat(size, mask, set);
  if (version >= 7) drawVersion(size, version, set);
  return blank;
}

type Set = (row: number, column: number, dark: boolean) => void;

/** Rings around a middle: three finders with a light edge, and the smaller alignment patterns. */
function drawSquares(version: number, set: Set): void {
  const size = sizeOf(version);
  const square = (row: number, column: number, reach: number, isLight: (ring: number) => boolean) => {
    for (let down = -reach; down <= reach; down += 1)
      for (let right = -reach; right <= reach; right += 1)
        set(row + down, column + right, !isLight(Math.max(Math.abs(down), Math.abs(right))));
  };
  const middles: readonly number[] = ALIGNED[version - 2] ?? [];
  const last = middles.at(-1);
  for (const row of middles)
    for (const column of middles)
      if (!(row === 6 && (column === 6 || column === last)) && !(row === last && column === 6))
        square(row, column, 2, (ring) => ring === 1);
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(row, column, 4, (ring) => ring === 2 || ring === 4);
}

/** Level M and the mask, with ten bits of correction, twice; and one module that is always dark. */
function drawFormat(size: number, mask: number, set: Set): void {
  const bits = (mask << 10) | remainderOf(mask, 0x537, 10);
  const isDark = (bit: number) => (((bits ^ 0x5412) >> bit) & 1) === 1;
  for (let bit = 0; bit < 15; bit += 1) {
    set(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, isDark(bit));
    set(8, bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit, isDark(bit));
  }
  set(size - 8, 8, true);
}

/** The version with twelve bits of correction, beside two finders. */
function drawVersion(size: number, version: number, set: Set): void {
  const bits = (version << 12) | remainderOf(version, 0x1f25, 12);
  for (let bit = 0; bit < 18; bit += 1) {
    const [long, short] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
    const isDark = ((bits >> bit) & 1) === 1;
    set(long, short, isDark);
    set(short, long, isDark);
  }
}

/** What is left of `value`, moved by `count` bits, after division by the polynomial. */
function remainderOf(value: number, polynomial: number, count: number): number {
  let rest = value;
  for (let step = 0; step < count; step += 1) rest = (rest << 1) ^ ((rest >> (count - 1)) * polynomial);
  return rest;
}
