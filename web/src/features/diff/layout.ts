/** Computes where files and rows are, so that only what is in sight is drawn. */
import type { Row } from "./patch/rows.ts";

export const ROW = 20;
const { matchMedia } = globalThis as {
  readonly matchMedia?: (query: string) => { readonly matches: boolean };
};
/** Higher for a finger. */
export const HEADER = matchMedia?.("(pointer: coarse)").matches === true ? 44 : 32;
/** Room below the rows for the bar that scrolls sideways. */
const FOOT = 12;
const NOTE = 44;
/** A note with a picture before and now. */
const PICTURES = 264;
/** Rows that a file is thought to have around each of its changes until its patch is there. */
const CONTEXT = 8;

/** Something of its own height below a row; -1 stands above the first one. */
export interface Insert {
  readonly key: string;
  readonly after: number;
  readonly height: number;
}

/** Height of what stands in place of rows. */
export const noteHeight = (hasPictures: boolean): number => (hasPictures ? NOTE + PICTURES : NOTE);

export interface FileBody {
  /** Null while the patch is not there, or instead of rows there is a note. */
  readonly rows: readonly Row[] | null;
  readonly inserts: readonly Insert[];
  readonly height: number;
}

export interface Placed {
  readonly index: number;
  readonly top: number;
  readonly height: number;
}

export const bodyOfRows = (rows: readonly Row[], inserts: readonly Insert[]): FileBody => ({
  rows,
  inserts,
  height: rows.length * ROW + inserts.reduce((sum, { height }) => sum + height, 0) + FOOT,
});

export const bodyOfNote = (inserts: readonly Insert[], height: number): FileBody => ({
  rows: null,
  inserts,
  height: height + inserts.reduce((sum, { height }) => sum + height, 0),
});

export const FOLDED: FileBody = { rows: null, inserts: [], height: 0 };

export function bodyToCome(changedLines: number): FileBody {
  return { rows: null, inserts: [], height: (changedLines + CONTEXT) * ROW + FOOT };
}

export function place(bodies: readonly FileBody[]): {
  readonly files: readonly Placed[];
  readonly height: number;
} {
  let top = 0;
  const files = bodies.map((body, index) => {
    const placed = { index, top, height: HEADER + body.height };
    top += placed.height;
    return placed;
  });
  return { files, height: top };
}

/** The files that the stretch from `top` to `bottom` touches. */
export function filesWithin(files: readonly Placed[], top: number, bottom: number): readonly Placed[] {
  const first = indexAt(files, top);
  const found: Placed[] = [];
  for (let index = first; index < files.length; index += 1) {
    const file = files[index];
    if (file === undefined || file.top > bottom) break;
    found.push(file);
  }
  return found;
}

/** The last file that begins at `top` or above it. */
export function indexAt(files: readonly Placed[], top: number): number {
  let low = 0;
  let high = files.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((files[middle]?.top ?? 0) <= top) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** Where a row begins, below the header of its file. */
export function topOfRow(row: number, inserts: readonly Insert[]): number {
  let top = row * ROW;
  for (const { after, height } of inserts) if (after < row) top += height;
  return top;
}

/** The rows that the stretch from `top` to `bottom` of a body touches, as `[first, end)`. */
export function rowsWithin(
  { rows, inserts }: FileBody,
  top: number,
  bottom: number,
): readonly [number, number] {
  const count = rows?.length ?? 0;
  const at = (y: number) => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (topOfRow(middle, inserts) + ROW < y) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return [at(top), Math.min(count, at(bottom) + 1)];
}
