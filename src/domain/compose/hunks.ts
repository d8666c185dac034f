/** Takes single hunks of a change: the old content, with some of its ranges as the new content has them. */

/** A range of lines on both sides, as the header of a hunk gives it. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The hunks of the patch of one file, in order. No line of content begins like a header. */
export function readHunks(patch: string): readonly Hunk[] {
  return patch.split("\n").flatMap((line) => {
    const found = HEADER.exec(line);
    if (found === null) return [];
    const [, oldStart, oldLines = "1", newStart, newLines = "1"] = found;
    return [
      {
        oldStart: Number(oldStart),
        oldLines: Number(oldLines),
        newStart: Number(newStart),
        newLines: Number(newLines),
      },
    ];
  });
}

/** `hunks` in the order of the file. Nothing is searched for, so that each goes to its own place. */
export function applyHunks(before: Uint8Array, after: Uint8Array, hunks: readonly Hunk[]): Uint8Array {
  const [old, now] = [lineStarts(before), lineStarts(after)];
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { oldStart, oldLines, newStart, newLines } of hunks) {
    const from = lineIndex(oldStart, oldLines);
    const newFrom = lineIndex(newStart, newLines);
    pieces.push(before.subarray(old(at), old(from)), after.subarray(now(newFrom), now(newFrom + newLines)));
    at = from + oldLines;
  }
  pieces.push(before.subarray(old(at)));
  return Buffer.concat(pieces);
}

/** An empty range is named by the line before it. */
function lineIndex(start: number, lines: number): number {
  return lines === 0 ? start : start - 1;
}

const LINE_FEED = 0x0a;

/** Where the line with this index begins; the end of the content for all after the last. */
function lineStarts(content: Uint8Array): (index: number) => number {
  const starts = [0];
  for (let at = content.indexOf(LINE_FEED); at >= 0; at = content.indexOf(LINE_FEED, at + 1))
    starts.push(at + 1);
  return (index) => starts[index] ?? content.length;
}
