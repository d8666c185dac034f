/** Splits any stream of bytes into lines, in bounded memory. */
import { createOutputBuffer, type OutputBuffer } from "./output-buffer.ts";

export interface SplitLine {
  /** The line without its line feed; a carriage return stays. A line over the limit ends in `… [cut: N bytes]`. */
  readonly text: string;
  /** How many of its bytes are not in the text; absent if none is missing. */
  readonly cut?: number;
  /** Bytes of the stream up to the end of this line, with its line feed. */
  readonly end: number;
}

export interface LineSplitter {
  /** Takes the next bytes and returns the lines that they completed. */
  push(chunk: Uint8Array): SplitLine[];
  /** The last line if the stream did not end in a line feed; null if nothing is left. */
  end(): SplitLine | null;
}

/** Longest line that is kept whole, in bytes. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** A splitter that keeps at most `maxLineBytes` of a line (default 8 MiB). */
export function createLineSplitter(options: { readonly maxLineBytes?: number } = {}): LineSplitter {
  const maxBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  let begun: OutputBuffer | null = null;
  let seen = 0;

  const finish = (tail: Uint8Array): Omit<SplitLine, "end"> => {
    if (begun === null && tail.length <= maxBytes) return { text: decode(tail) };
    const line = begun ?? createOutputBuffer({ maxBytes });
    begun = null;
    line.push(tail);
    return cutLine(line);
  };

  const push = (chunk: Uint8Array): SplitLine[] => {
    const lines: SplitLine[] = [];
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      lines.push({ ...finish(chunk.subarray(start, at)), end: seen + at + 1 });
      start = at + 1;
    }
    seen += chunk.length;
    if (start === chunk.length) return lines;
    begun ??= createOutputBuffer({ maxBytes });
    begun.push(chunk.subarray(start));
    return lines;
  };

  return {
    push,
    end: () => (begun === null ? null : { ...finish(new Uint8Array(0)), end: seen }),
  };
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** A line with a mark for its dropped bytes. */
function cutLine(line: OutputBuffer): Omit<SplitLine, "end"> {
  const cut = line.droppedBytes();
  return cut === 0 ? { text: line.text() } : { text: `${line.text()}${cutMark(cut)}`, cut };
}

/** The mark that replaces so many bytes of a line. */
export function cutMark(bytes: number): string {
  return `… [cut: ${bytes} bytes]`;
}
