/** Holds the cursor of a diff, brings it into sight, gives its row the focus, and offers what keys do. */
import {
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Annotated, FileView } from "./bodies.ts";
import { type Cursor, moveChange, moveFile, moveLine } from "./cursor.ts";
import type { DiffHandle, Place } from "./handle.ts";
import { HEADER, indexAt, type Placed, ROW, topOfRow } from "./layout.ts";
import { linesBetween, rowOf, textOf } from "./patch/line-of.ts";
import type { Viewport } from "./viewport.ts";

interface CursorOf {
  readonly box: RefObject<HTMLElement | null>;
  readonly views: readonly FileView[];
  readonly placed: readonly Placed[];
  readonly viewport: Viewport;
  readonly annotations: readonly Annotated[];
  readonly onFile?: (path: string) => void;
  readonly ref?: Ref<DiffHandle>;
}

export function useCursor({ box, views, placed, viewport, onFile, ref }: CursorOf) {
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const [target, setTarget] = useState<Place | null>(null);
  const isMoved = useRef(false);
  const go = (next: Cursor) => {
    isMoved.current = true;
    setCursor(next);
  };
  /** A person who moves does not want to be taken elsewhere any more. */
  const move = (next: Cursor | null) => {
    if (next === null) return;
    setTarget(null);
    go(next);
  };
  const toFile = (step: 1 | -1) =>
    move(moveFile(views, cursor ?? inSight(views, placed, viewport.top), step));
  useImperativeHandle(ref, () => ({
    moveLine: (step) => move(moveLine(views, cursor, step)),
    moveChange: (step) => move(moveChange(views, cursor, step)),
    moveFile: toFile,
    show: setTarget,
    select: () => setCursor((now) => now && { ...now, anchor: now.anchor === null ? now.row : null }),
    selected: () => selectedLines(views, cursor),
    textOf: (place) => textOf(views.find(({ file }) => file.path === place.path)?.patch ?? null, place),
  }));
  useTarget({ target, views, move: go, done: () => setTarget(null) });
  useLayoutEffect(() => {
    if (!isMoved.current || cursor === null || box.current === null) return;
    isMoved.current = false;
    bringIntoSight(box.current, views, placed, cursor);
  });
  useFileInSight({ views, placed, viewport, cursor, onFile });
  return { cursor, setCursor, go, toFile };
}

/** Goes to a place as soon as its file is loaded. */
function useTarget(of: {
  readonly target: Place | null;
  readonly views: readonly FileView[];
  readonly move: (cursor: Cursor) => void;
  readonly done: () => void;
}) {
  const { target, views, move, done } = of;
  const reached = useRef<Place | null>(null);
  useEffect(() => {
    const view = views.find(({ file }) => file.path === target?.path);
    if (target === null || view === undefined) return;
    const { path, line, side = "new" } = target;
    const rows = view.body.rows;
    const isThere = line === undefined || rows !== null || view.note?.kind !== "loading";
    const row =
      line === undefined || rows === null || view.patch === null
        ? -1
        : rowOf(rows, view.patch, { side, line });
    // Until the file is there, its header is what is in sight, so that it gets loaded.
    if (isThere || reached.current !== target) move({ path, row, anchor: null });
    reached.current = target;
    if (isThere) done();
  });
}

function bringIntoSight(
  box: HTMLElement,
  views: readonly FileView[],
  placed: readonly Placed[],
  { path, row }: Cursor,
): void {
  const index = views.findIndex(({ file }) => file.path === path);
  const view = views[index];
  const top = placed[index]?.top;
  if (view === undefined || top === undefined) return;
  if (row === -1) box.scrollTop = top;
  else {
    const at = top + HEADER + topOfRow(row, view.body.inserts);
    const room = Math.min(120, box.clientHeight / 4);
    if (at - HEADER - ROW < box.scrollTop) box.scrollTop = at - HEADER - room;
    else if (at + ROW * 2 > box.scrollTop + box.clientHeight)
      box.scrollTop = at + ROW + room - box.clientHeight;
  }
  const section = [...box.querySelectorAll<HTMLElement>("[data-file]")].find(
    (each) => each.dataset.file === path,
  );
  const at = section?.querySelector<HTMLElement>(row === -1 ? "header button" : `[data-row="${row}"]`);
  // Where lines are left out, the first button that shows some of them.
  (at?.querySelector<HTMLElement>("[data-more]") ?? at)?.focus({ preventScroll: true });
}

function selectedLines(views: readonly FileView[], cursor: Cursor | null) {
  // On no line yet, or on the head of a file: what changed first from there is meant.
  const at = cursor === null || cursor.row < 0 ? moveChange(views, cursor, 1) : cursor;
  const view = views.find(({ file }) => file.path === at?.path);
  if (at === null || view?.patch == null || view.body.rows === null || at.row < 0) return null;
  const lines = linesBetween(view.body.rows, view.patch, [at.anchor ?? at.row, at.row]);
  return lines === null ? null : { path: at.path, ...lines };
}

function inSight(views: readonly FileView[], placed: readonly Placed[], top: number): Cursor | null {
  const view = placed.length === 0 ? undefined : views[indexAt(placed, top)];
  return view === undefined ? null : { path: view.file.path, row: -1, anchor: null };
}

/** Tells which file a person looks at: that with the cursor, if the cursor is in sight, else the topmost one. */
function useFileInSight(of: {
  readonly views: readonly FileView[];
  readonly placed: readonly Placed[];
  readonly viewport: Viewport;
  readonly cursor: Cursor | null;
  readonly onFile: ((path: string) => void) | undefined;
}) {
  const { views, placed, viewport, cursor, onFile } = of;
  const at = topOfCursor(views, placed, cursor);
  const isInSight = at !== null && at >= viewport.top && at < viewport.top + viewport.height;
  const path = isInSight ? cursor?.path : inSight(views, placed, viewport.top + HEADER)?.path;
  const tell = useRef(onFile);
  tell.current = onFile;
  useEffect(() => {
    if (path !== undefined) tell.current?.(path);
  }, [path]);
}

function topOfCursor(
  views: readonly FileView[],
  placed: readonly Placed[],
  cursor: Cursor | null,
): number | null {
  const index = cursor === null ? -1 : views.findIndex(({ file }) => file.path === cursor.path);
  const top = placed[index]?.top;
  if (cursor === null || top === undefined) return null;
  return cursor.row < 0 ? top : top + HEADER + topOfRow(cursor.row, views[index]?.body.inserts ?? []);
}
