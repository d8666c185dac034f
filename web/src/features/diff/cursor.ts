/** Moves the line that the keys act on: line by line, change by change, file by file. */
import type { FileView } from "./bodies.ts";
import type { Row } from "./patch/rows.ts";

/** A row of a file; -1 is its header. */
export interface Cursor {
  readonly path: string;
  readonly row: number;
  /** The other end of the lines that are selected. */
  readonly anchor: number | null;
}

type Views = readonly FileView[];

export function moveLine(views: Views, at: Cursor | null, step: 1 | -1): Cursor | null {
  const index = placeIn(views, at);
  const view = views[index];
  if (at === null || view === undefined) return views[0] === undefined ? null : header(views[0]);
  const rows = view.body.rows ?? [];
  const keepsAnchor = at.anchor !== null;
  for (let row = at.row + step; row >= 0 && row < rows.length; row += step)
    if (canStandOn(rows[row])) return { ...at, row };
  if (keepsAnchor) return at;
  if (step === -1 && at.row >= 0) return header(view);
  const next = views[index + step];
  if (next === undefined) return at;
  return step === 1 ? header(next) : { ...header(next), row: (next.body.rows?.length ?? 0) - 1 };
}

/** The first line of the next change; in the files that are not loaded yet, the file itself. */
export function moveChange(views: Views, at: Cursor | null, step: 1 | -1): Cursor | null {
  let index = placeIn(views, at);
  let row = at?.row ?? -1;
  for (; index >= 0 && index < views.length; index += step) {
    const view = views[index];
    if (view === undefined) return at;
    const rows = view.body.rows ?? [];
    if (rows.length === 0 && view.file.path !== at?.path) return header(view);
    const found = changeFrom(rows, row, step);
    if (found !== null) return { path: view.file.path, row: found, anchor: null };
    const next = views[index + step];
    row = step === 1 ? -1 : (next?.body.rows?.length ?? 0);
  }
  return at;
}

export function moveFile(views: Views, at: Cursor | null, step: 1 | -1): Cursor | null {
  const from = placeIn(views, at);
  const isInside = at !== null && step === -1 && at.row > 0;
  const view = views[Math.min(views.length - 1, Math.max(0, from + (at === null || isInside ? 0 : step)))];
  return view === undefined ? null : header(view);
}

const header = ({ file }: FileView): Cursor => ({ path: file.path, row: -1, anchor: null });

const placeIn = (views: Views, at: Cursor | null): number =>
  Math.max(
    0,
    views.findIndex(({ file }) => file.path === at?.path),
  );

/** On lines that are left out too: there they can be shown. */
const canStandOn = (row: Row | undefined): boolean => row?.kind === "line" || row?.kind === "gap";

const isChange = (row: Row | undefined): boolean => row?.kind === "line" && row.type !== "same";

function changeFrom(rows: readonly Row[], from: number, step: 1 | -1): number | null {
  for (let row = from + step; row >= 0 && row < rows.length; row += step)
    if (isChange(rows[row]) && !isChange(rows[row - 1])) return row;
  return null;
}
