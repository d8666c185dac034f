/** Describes what a patch asks for, in either form of patch. */

/**
 * All text is bytes as UTF-16 units (latin1), so that a file in any encoding is patched byte for byte. Paths are
 * real text.
 */
export interface FileChange {
  /** `delete`: the file must hold exactly the lines that its hunks delete. `discard`: the file may hold anything. */
  readonly kind: "create" | "modify" | "delete" | "discard" | "rename" | "copy";
  /** The path of the old content; null for a new file. */
  readonly oldPath: string | null;
  /** The path of the new content; null for a deleted file. */
  readonly newPath: string | null;
  readonly hunks: readonly Hunk[];
  /** Null if the patch does not mention it. */
  readonly executable: boolean | null;
  /** The line of the patch where it begins, from 1. */
  readonly patchLine: number;
}

export interface Hunk {
  /** The line of the patch where it begins, from 1. */
  readonly patchLine: number;
  /** The hunk's stated start: the line of the old file before which it begins, from 0. Null if none is stated. */
  readonly start: number | null;
  readonly lines: readonly HunkLine[];
  /** Lines that must stand somewhere before the hunk, the outermost first. */
  readonly anchors: readonly string[];
  /** Whether the hunk is marked to reach the end of the file. */
  readonly atEnd: boolean;
}

export interface HunkLine {
  readonly sign: " " | "+" | "-";
  /** With its line feed, unless the file ends in this line without one. */
  readonly text: string;
}

/** Why a text is not a patch. */
export interface PatchFlaw {
  readonly code: "INVALID_PATCH" | "UNSUPPORTED_CHANGE";
  /** From 1. */
  readonly patchLine: number;
  readonly why: string;
}
