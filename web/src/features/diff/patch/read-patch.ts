/** Reads the patch of one file into hunks of lines that are safe to show. */
import { visibleText } from "@contract/text.ts";
import { processFile } from "@pierre/diffs";
import { cutPatch } from "./cut-patch.ts";

export interface PatchAnswer {
  readonly patch: string;
  readonly truncated?: { readonly shown_bytes: number; readonly bytes: number } | undefined;
}

/** A run of lines: the same on both sides, or removed lines beside those that took their place. */
export interface Block {
  readonly kind: "same" | "change";
  readonly old: number;
  readonly new: number;
}

export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** The function or heading that the hunk is in, as git found it. */
  readonly within: string;
  readonly old: readonly string[];
  readonly new: readonly string[];
  readonly blocks: readonly Block[];
  readonly oldLacksNewline: boolean;
  readonly newLacksNewline: boolean;
}

export interface FilePatch {
  /** In order. Between two of them are lines that are not shown, or none. */
  readonly hunks: readonly Hunk[];
  /** Unchanged lines behind the last hunk; null if a patch does not tell. */
  readonly hiddenAfter: number | null;
  /** The beginning of the id of the file's new content; null if the patch does not name it. */
  readonly blob: string | null;
  /** Its lines end as those of Windows do, which is not shown. */
  readonly isWindows: boolean;
  readonly previousName: string | null;
  readonly modes: { readonly from: string; readonly to: string } | null;
  readonly isBinary: boolean;
  /** The patch goes on behind what is shown. */
  readonly isCut: boolean;
  /** A line is longer than what is shown of it, and may differ behind that. */
  readonly isLineCut: boolean;
  /** The longest line, in characters. */
  readonly width: number;
  readonly hasConflictMarkers: boolean;
}

const MAX_LINES = 60_000;
const MAX_LINE = 2_000;
/** Bytes above which a patch that nobody asked for is not read at all. */
export const MAX_UNASKED = 2_000_000;

export function readPatch({ patch, truncated }: PatchAnswer): FilePatch {
  const { text, isCut } = cutPatch(patch, MAX_LINES);
  const file = processFile(text, { isGitDiff: true });
  const sides = { old: file?.deletionLines ?? [], new: file?.additionLines ?? [] };
  const old = shownLines(sides.old);
  const fresh = shownLines(sides.new);
  const hunks = (file?.hunks ?? []).map(
    (hunk): Hunk => ({
      oldStart: hunk.deletionStart,
      newStart: hunk.additionStart,
      within: visibleText(hunk.hunkContext?.trim() ?? ""),
      old: old.slice(hunk.deletionLineIndex, hunk.deletionLineIndex + hunk.deletionCount),
      new: fresh.slice(hunk.additionLineIndex, hunk.additionLineIndex + hunk.additionCount),
      blocks: hunk.hunkContent.map((block) =>
        block.type === "context"
          ? { kind: "same", old: block.lines, new: block.lines }
          : { kind: "change", old: block.deletions, new: block.additions },
      ),
      oldLacksNewline: hunk.noEOFCRDeletions,
      newLacksNewline: hunk.noEOFCRAdditions,
    }),
  );
  const { prevMode, mode } = file ?? {};
  const ends = isCut || truncated !== undefined || endsFile(hunks.at(-1));
  return {
    hunks,
    hiddenAfter: ends ? 0 : null,
    blob: file?.newObjectId ?? null,
    isWindows: isWindows(sides.new),
    previousName: file?.prevName ?? null,
    modes: prevMode !== undefined && mode !== undefined ? { from: prevMode, to: mode } : null,
    isBinary: hunks.length === 0 && /^(Binary files |GIT binary patch)/m.test(text.slice(0, 10_000)),
    isCut: isCut || truncated !== undefined,
    isLineCut: [...sides.old, ...sides.new].some((line) => line.length > MAX_LINE + 2),
    width: longest(old, longest(fresh, 0)),
    hasConflictMarkers: fresh.some(isConflictMarker),
  };
}

/** Git shows three unchanged lines behind the last change, if the file has so many. */
const CONTEXT = 3;

function endsFile(last: Hunk | undefined): boolean {
  if (last === undefined || last.new.length === 0 || last.oldLacksNewline || last.newLacksNewline)
    return true;
  const block = last.blocks.at(-1);
  return block?.kind !== "same" || block.new < CONTEXT;
}

/** A line that git leaves when two sides changed the same place. */
export const isConflictMarker = (line: string): boolean => /^(<{7}|>{7}|\|{7})( |$)/.test(line);

/** Line ends of Windows are shown only if some lines have them and others have not. */
function shownLines(lines: readonly string[]): readonly string[] {
  const hasReturns = isWindows(lines);
  return lines.map((line) => shownLine(line.endsWith("\n") ? line.slice(0, -1) : line, hasReturns));
}

const isWindows = (lines: readonly string[]) =>
  lines.length > 0 && lines.every((line) => line.endsWith("\r\n"));

/** A line without its line feed, as it is safe to show. */
export function shownLine(line: string, hasReturns: boolean): string {
  const text = visibleText(hasReturns && line.endsWith("\r") ? line.slice(0, -1) : line);
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
}

/** Of the widest line, or `least` if none is wider. */
export function longest(lines: readonly string[], least: number): number {
  let most = least;
  for (const line of lines) if (line.length > most) most = widthOf(line);
  return most;
}

/** Wide characters count twice, tabs four times. */
function widthOf(line: string): number {
  let width = line.length;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === 9) width += 3;
    else if (code > 0x10ff) width += 1;
  }
  return width;
}
