/** Describes what a patch asks for, whichever way it was written. */

/**
 * All text is bytes as UTF-16 units (latin1), so that a file in any encoding is patched byte for byte; paths are real text.
 */
export interface FileChange {
  /** `delete`: of exactly the lines that its hunks delete. `discard`: whatever the file holds. */
  readonly kind: "create" | "modify" | "delete" | "discard" | "rename" | "copy";
  /** Where the old content is; null for a file that is made. */
  readonly oldPath: string | null;
  /** Where the new content goes; null for a file that is deleted. */
  readonly newPath: string | null;
  readonly hunks: readonly Hunk[];
  /** Null where the patch does not speak of it. */
  readonly executable: boolean | null;
  /** The line of the patch where it begins, from 1. */
  readonly patchLine: number;
}

export interface Hunk {
  /** The line of the patch where it begins, from 1. */
  readonly patchLine: number;
  /** Line of the old file before which it is said to begin, from 0; null where nothing is said. */
  readonly start: number | null;
  readonly lines: readonly HunkLine[];
  /** Lines that are said to stand somewhere before it, the outermost first. */
  readonly anchors: readonly string[];
  /** Whether it is said to reach the end of the file. */
  readonly atEnd: boolean;
}

export interface HunkLine {
  readonly sign: " " | "+" | "-";
  /** With its line feed, unless the file ends in this line without one. */
  readonly text: string;
}

/** Why a text is no patch. */
export interface PatchFlaw {
  readonly code: "INVALID_PATCH" | "UNSUPPORTED_CHANGE";
  /** From 1. */
  readonly patchLine: number;
  readonly why: string;
}
