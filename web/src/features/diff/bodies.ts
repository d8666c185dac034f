/** Decides what stands below each file's header: its rows, a note instead, or room for what is still to come. */

import type { DiffFile } from "@contract/endpoints/attempts.ts";
import {
  bodyOfNote,
  bodyOfRows,
  bodyToCome,
  type FileBody,
  FOLDED,
  type Insert,
  noteHeight,
} from "./layout.ts";
import { heldBack, isPicture } from "./patch/file-kind.ts";
import { rowOf, type Side } from "./patch/line-of.ts";
import type { FilePatch } from "./patch/read-patch.ts";
import { type Row, type RowsOf, rowsOf } from "./patch/rows.ts";
import type { Loaded, Patches } from "./use-patches.ts";

/** Something of a screen's own that stands below a line, or above the first one. */
export interface Annotated {
  readonly key: string;
  readonly path: string;
  readonly side: Side;
  readonly line: number | null;
}

export type Note =
  | { readonly kind: "noText" | "onlySpace" | "loading" }
  | { readonly kind: "binary"; readonly sizes: DiffFile["sizes"]; readonly isPicture: boolean }
  | { readonly kind: "big" | "lockfile"; readonly lines: number }
  | { readonly kind: "long"; readonly bytes: number }
  | { readonly kind: "onlyMode"; readonly from: string; readonly to: string }
  | { readonly kind: "onlyName"; readonly from: string }
  | { readonly kind: "error"; readonly error: unknown };

export interface FileView {
  readonly file: DiffFile;
  readonly isFolded: boolean;
  readonly patch: FilePatch | null;
  readonly note: Note | null;
  readonly body: FileBody;
}

export interface ViewOptions extends RowsOf {
  readonly patches: Patches;
  readonly folded: ReadonlySet<string>;
  /** Files that are shown though they are long. */
  readonly asked: ReadonlySet<string>;
  readonly annotations: ReadonlyMap<string, readonly Annotated[]>;
  /** Measured heights of annotations. */
  readonly heights: ReadonlyMap<string, number>;
}

const FIRST_GUESS = 96;

export function viewOf(file: DiffFile, options: ViewOptions): FileView {
  const { folded, asked, annotations, heights, patches } = options;
  const own = annotations.get(file.path) ?? [];
  const insert = ({ key }: Annotated, after: number): Insert => ({
    key,
    after,
    height: heights.get(key) ?? FIRST_GUESS,
  });
  if (folded.has(file.path)) return { file, isFolded: true, patch: null, note: null, body: FOLDED };
  const held = asked.has(file.path) ? null : heldBack(file);
  const loaded = patches.get(file.path);
  const lines = (file.additions ?? 0) + (file.deletions ?? 0);
  const note = held === null ? noteOf(loaded, file, options) : noteOfHeld(held, file, lines);
  const patch = held === null && loaded?.kind === "patch" ? loaded.patch : null;
  const rows = patch === null || note !== null ? null : rowsOf(patch, options);
  const inserts = own
    .map((each) => insert(each, rows === null || patch === null ? -1 : afterRow(each, rows, patch)))
    .toSorted((one, other) => one.after - other.after);
  const body =
    rows !== null
      ? bodyOfRows(rows, inserts)
      : note?.kind === "loading"
        ? bodyToCome(lines)
        : bodyOfNote(inserts, noteHeight(hasPictures(note)));
  return { file, isFolded: false, patch, note, body };
}

export const hasPictures = (note: Note | null): boolean => note?.kind === "binary" && note.isPicture;

function afterRow({ side, line }: Annotated, rows: readonly Row[], patch: FilePatch): number {
  return line === null ? -1 : rowOf(rows, patch, { side, line });
}

function noteOfHeld(held: "binary" | "big" | "lockfile", file: DiffFile, lines: number): Note {
  return held === "binary" ? binaryNote(file) : { kind: held, lines };
}

const binaryNote = (file: DiffFile): Note => ({
  kind: "binary",
  sizes: file.sizes,
  isPicture: isPicture(file),
});

function noteOf(loaded: Loaded | undefined, file: DiffFile, how: RowsOf): Note | null {
  if (loaded === undefined) return { kind: "loading" };
  if (loaded.kind !== "patch") return loaded;
  const { patch } = loaded;
  if (patch.isBinary) return binaryNote(file);
  if (patch.hunks.length === 0) {
    if (patch.modes !== null) return { kind: "onlyMode", ...patch.modes };
    return patch.previousName === null ? { kind: "noText" } : { kind: "onlyName", from: patch.previousName };
  }
  const isAllSame =
    how.hideSpace && rowsOf(patch, how).every((row) => row.kind !== "line" || row.type === "same");
  return isAllSame ? { kind: "onlySpace" } : null;
}
