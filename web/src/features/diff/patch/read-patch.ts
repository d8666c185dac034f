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
  /** Lines between the hunk before and this one, which are the same on both sides. */
  readonly hiddenBefore: number;
  /** The function or heading that the hunk is in, as git found it. */
  readonly within: string;
  readonly old: readonly string[];
  readonly new: readonly string[];
  readonly blocks: readonly Block[];
  readonly oldLacksNewline: boolean;
  readonly newLacksNewline: boolean;
}

export interface FilePatch {
  readonly hunks: readonly Hunk[];
  readonly previousName: string | null;
  readonly modes: { readonly from: string; readonly to: string } | null;
  readonly isBinary: boolean;
  /** The patch goes on behind what is shown. */
  readonly isCut: boolean;
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
  const old = shownLines(file?.deletionLines ?? []);
  const fresh = shownLines(file?.additionLines ?? []);
  const hunks = (file?.hunks ?? []).map(
    (hunk): Hunk => ({
      oldStart: hunk.deletionStart,
      newStart: hunk.additionStart,
      hiddenBefore: hunk.collapsedBefore,
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
  return {
    hunks,
    previousName: file?.prevName ?? null,
    modes: prevMode !== undefined && mode !== undefined ? { from: prevMode, to: mode } : null,
    isBinary: hunks.length === 0 && /^(Binary files |GIT binary patch)/m.test(text.slice(0, 10_000)),
    isCut: isCut || truncated !== undefined,
    width: longest(old, longest(fresh, 0)),
    hasConflictMarkers: fresh.some(isConflictMarker),
  };
}

/** A line that git leaves when two sides changed the same place. */
export const isConflictMarker = (line: string): boolean => /^(<{7}|>{7}|\|{7})( |$)/.test(line);

/** Line ends of Windows are shown only if some lines have them and others have not. */
function shownLines(lines: readonly string[]): readonly string[] {
  const isWindows = lines.length > 0 && lines.every((line) => line.endsWith("\r\n"));
  return lines.map((line) => shownLine(line, isWindows));
}

function shownLine(line: string, isWindows: boolean): string {
  const end = line.endsWith("\n") ? (isWindows ? 2 : 1) : 0;
  const text = visibleText(end === 0 ? line : line.slice(0, -end));
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
}

function longest(lines: readonly string[], least: number): number {
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
