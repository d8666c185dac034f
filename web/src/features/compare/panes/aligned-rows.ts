/** Lines up the patches of several attempts by the lines of their base, so that they scroll together. */
import type { FilePatch } from "../../diff/patch/read-patch.ts";
import { hunksOf, type PatchHunk, type PatchLine } from "./file-patch.ts";

/** What one pane shows in a row; null is room that another pane needs. */
export type PaneLine = PatchLine | null;

export type AlignedRow =
  | { readonly kind: "lines"; readonly panes: readonly PaneLine[] }
  | {
      readonly kind: "head";
      /** Lines of the base that no pane shows before this row. */
      readonly skipped: number;
      /** The hunk that begins here in each pane. */
      readonly panes: readonly (PatchHunk | null)[];
    };

interface Pane {
  /** By line of the base. */
  readonly shown: ReadonlyMap<number, PatchLine>;
  /** What was added after a line of the base; 0 is the beginning. */
  readonly added: ReadonlyMap<number, readonly PatchLine[]>;
  readonly begins: ReadonlyMap<number, PatchHunk>;
  readonly hunks: readonly PatchHunk[];
}

export function alignRows(patches: readonly Pick<FilePatch, "hunks">[]): readonly AlignedRow[] {
  const panes = patches.map((patch, pane) => paneOf(hunksOf(patch, pane)));
  const bases = new Set(panes.flatMap(({ shown, added }) => [...shown.keys(), ...added.keys()]));
  const rows: AlignedRow[] = [];
  let last = 0;
  for (const base of [...bases].sort((one, other) => one - other)) {
    // A place at which something is added only has its line of the base before it, which nobody shows.
    const isShown = panes.some(({ shown }) => shown.has(base));
    const begins = panes.map((pane) => pane.begins.get(base) ?? null);
    const skipped = Math.max(0, base - last - (isShown ? 1 : 0));
    if (skipped > 0 || begins.some((hunk) => hunk !== null))
      rows.push({ kind: "head", skipped, panes: begins });
    if (isShown) rows.push({ kind: "lines", panes: panes.map((pane) => lineAt(pane, base, panes)) });
    const added = panes.map((pane) => pane.added.get(base) ?? []);
    const most = Math.max(...added.map(({ length }) => length));
    for (let index = 0; index < most; index++)
      rows.push({ kind: "lines", panes: added.map((lines) => lines[index] ?? null) });
    last = base;
  }
  return rows;
}

/** Rows at which a change begins, for going from one to the next. */
export function changeStarts(rows: readonly AlignedRow[]): readonly number[] {
  const changes = (row: AlignedRow | undefined) =>
    row?.kind === "lines" && row.panes.some((line) => line !== null && line.kind !== "context");
  return rows.flatMap((row, index) => (changes(row) && !changes(rows[index - 1]) ? [index] : []));
}

function paneOf(hunks: readonly PatchHunk[]): Pane {
  const shown = new Map<number, PatchLine>();
  const added = new Map<number, PatchLine[]>();
  const begins = new Map<number, PatchHunk>();
  for (const hunk of hunks) {
    let before = hunk.base - 1;
    begins.set(hunk.baseCount === 0 || hunk.lines[0]?.base === null ? before : hunk.base, hunk);
    for (const line of hunk.lines) {
      if (line.base !== null) {
        shown.set(line.base, line);
        before = line.base;
      } else {
        const lines = added.get(before) ?? [];
        lines.push(line);
        added.set(before, lines);
      }
    }
  }
  return { shown, added, begins, hunks };
}

/** A line that only another pane shows is unchanged here: its text is known, and its number follows from the hunks. */
function lineAt(pane: Pane, base: number, panes: readonly Pane[]): PaneLine {
  const own = pane.shown.get(base);
  if (own !== undefined) return own;
  const known = panes.map(({ shown }) => shown.get(base)).find((line) => line !== undefined);
  if (known === undefined || pane.hunks.length === 0) return null;
  const before = pane.hunks.findLast((hunk) => hunk.base <= base);
  const shift = before === undefined ? 0 : endOf(before) - (before.base + before.baseCount);
  return { ...known, kind: "context", base, line: base + shift, pair: null };
}

/** The line of the result after a hunk. */
function endOf({ line, lines }: PatchHunk): number {
  return line + lines.filter((each) => each.line !== null).length;
}
