/** Lays the hunks of a file out as rows of one height: unified, or the two sides beside each other. */
import { alignIgnoringSpace } from "./align.ts";
import { gapAbove } from "./more-lines.ts";
import type { Block, FilePatch, Hunk } from "./read-patch.ts";

export type Layout = "unified" | "split";

export interface LineRow {
  readonly kind: "line";
  /** `both`: a removed line and the one that took its place, side by side. */
  readonly type: "same" | "removed" | "added" | "both";
  readonly hunk: number;
  /** Places in the hunk's lines; null if that side has no line here. */
  readonly old: number | null;
  readonly new: number | null;
  /** The line on the other side that it is compared with word by word. */
  readonly pair: number | null;
}

export interface GapRow {
  readonly kind: "gap";
  /** Null if it is not known how many. */
  readonly lines: number | null;
  /** The hunk below it; behind the last one, the number of hunks. */
  readonly hunk: number;
  readonly within: string;
}

interface EndRow {
  readonly kind: "end";
  readonly side: "old" | "new" | "both";
}

export type Row = LineRow | GapRow | EndRow;

export interface RowsOf {
  readonly layout: Layout;
  readonly hideSpace: boolean;
}

const cache = new WeakMap<FilePatch, Map<string, readonly Row[]>>();

export function rowsOf(patch: FilePatch, how: RowsOf): readonly Row[] {
  const held = cache.get(patch) ?? new Map<string, readonly Row[]>();
  cache.set(patch, held);
  const key = `${how.layout} ${how.hideSpace}`;
  const known = held.get(key);
  if (known !== undefined) return known;
  const rows = [
    ...patch.hunks.flatMap((hunk, index) => [...gapRows(patch, index), ...hunkRows(hunk, { index, ...how })]),
    ...gapRows(patch, patch.hunks.length),
  ];
  held.set(key, rows);
  return rows;
}

function gapRows(patch: FilePatch, hunk: number): readonly GapRow[] {
  const gap = gapAbove(patch, hunk);
  if (gap === null) return [];
  const lines = gap.to === null ? null : gap.to - gap.from;
  return [{ kind: "gap", lines, hunk, within: patch.hunks[hunk]?.within ?? "" }];
}

type Placed = RowsOf & { readonly index: number };

function hunkRows(hunk: Hunk, how: Placed): Row[] {
  const rows: Row[] = [];
  let old = 0;
  let fresh = 0;
  for (const block of blocksOf(hunk, how.hideSpace)) {
    pushBlock(rows, block, { old, new: fresh, ...how });
    old += block.old;
    fresh += block.new;
  }
  const { oldLacksNewline, newLacksNewline } = hunk;
  if (oldLacksNewline && newLacksNewline) rows.push({ kind: "end", side: "both" });
  else if (oldLacksNewline || newLacksNewline)
    rows.push({ kind: "end", side: oldLacksNewline ? "old" : "new" });
  return rows;
}

type At = Placed & { readonly old: number; readonly new: number };

function pushBlock(rows: Row[], block: Block, { index, layout, ...at }: At): void {
  const line = { kind: "line", hunk: index, pair: null } as const;
  const paired = Math.min(block.old, block.new);
  if (block.kind === "same")
    for (let step = 0; step < block.old; step += 1)
      rows.push({ ...line, type: "same", old: at.old + step, new: at.new + step });
  else if (layout === "split")
    for (let step = 0; step < Math.max(block.old, block.new); step += 1) {
      const old = step < block.old ? at.old + step : null;
      const fresh = step < block.new ? at.new + step : null;
      rows.push({
        ...line,
        type: old === null ? "added" : fresh === null ? "removed" : "both",
        old,
        new: fresh,
      });
    }
  else {
    for (let step = 0; step < block.old; step += 1)
      rows.push({
        ...line,
        type: "removed",
        old: at.old + step,
        new: null,
        pair: step < paired ? at.new + step : null,
      });
    for (let step = 0; step < block.new; step += 1)
      rows.push({
        ...line,
        type: "added",
        old: null,
        new: at.new + step,
        pair: step < paired ? at.old + step : null,
      });
  }
}

/** The same patch without changes of white space alone. */
export function ignoringSpace(patch: FilePatch): FilePatch {
  return { ...patch, hunks: patch.hunks.map((hunk) => ({ ...hunk, blocks: blocksOf(hunk, true) })) };
}

function blocksOf(hunk: Hunk, hideSpace: boolean): readonly Block[] {
  if (!hideSpace) return hunk.blocks;
  let old = 0;
  let fresh = 0;
  return hunk.blocks.flatMap((block) => {
    const from = { old, new: fresh };
    old += block.old;
    fresh += block.new;
    if (block.kind === "same") return [block];
    return alignIgnoringSpace(hunk.old.slice(from.old, old), hunk.new.slice(from.new, fresh));
  });
}
