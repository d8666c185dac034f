/** Makes lines of the pieces of a file that were sent, and says if bytes between them are missing. */
import { createLineSplitter } from "../../utils/files/line-splitter.ts";
import type { Piece } from "./new-pieces.ts";

/** A line and its position in bytes. */
export interface FileLine {
  readonly text: string;
  readonly start: number;
  /** The offset after its line feed. */
  readonly end: number;
  /** How many bytes before it are not here; absent for none. */
  readonly missing?: number;
}

interface FedFile {
  /** The lines that the piece completes. What was fed before counts once. */
  feed(piece: Omit<Piece, "file">): readonly FileLine[];
  /** The end of the last line that was completed. */
  end(): number;
}

export function createFedFile(): FedFile {
  let splitter = createLineSplitter();
  let [base, position, end, missing] = [0, 0, 0, 0];
  const placed = (line: { readonly text: string; readonly end: number }): FileLine => {
    const start = end;
    end = base + line.end;
    const before = missing;
    missing = 0;
    return { text: line.text, start, end, ...(before === 0 ? {} : { missing: before }) };
  };
  return {
    feed: ({ from, to, bytes }) => {
      if (to <= position) return [];
      if (from > position) {
        // Without its end, a line that was begun is missing too.
        missing += from - end;
        splitter = createLineSplitter();
        [base, position, end] = [from, from, from];
      }
      const fresh = bytes.subarray(position - from);
      position = to;
      return splitter.push(fresh).map(placed);
    },
    end: () => end,
  };
}
