/** Splits a stream of bytes into lines, in bounded memory, whatever the stream holds. */
import { createOutputBuffer, type OutputBuffer } from "./output-buffer.ts";

export interface SplitLine {
  /** The line without its line feed; a carriage return stays. A line over the limit ends in `… [cut: N bytes]`. */
  readonly text: string;
  /** Bytes of the stream up to and with this line's line feed. */
  readonly end: number;
}

export interface LineSplitter {
  /** Takes the next bytes and returns the lines that they completed. */
  push(chunk: Uint8Array): SplitLine[];
  /** The last line where the stream did not end in a line feed; null where nothing is left. */
  end(): SplitLine | null;
}

/** Longest line that is kept whole, in bytes. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** A splitter that keeps at most `maxLineBytes` of a line (8 MiB unless told). */
export function createLineSplitter(options: { readonly maxLineBytes?: number } = {}): LineSplitter {
  const maxBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  let begun: OutputBuffer | null = null;
  let seen = 0;

  const finish = (tail: Uint8Array): string => {
    if (begun === null && tail.length <= maxBytes) return decode(tail);
    const line = begun ?? createOutputBuffer({ maxBytes });
    begun = null;
    line.push(tail);
    return textOf(line);
  };

  const push = (chunk: Uint8Array): SplitLine[] => {
    const lines: SplitLine[] = [];
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      lines.push({ text: finish(chunk.subarray(start, at)), end: seen + at + 1 });
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
    end: () => (begun === null ? null : { text: finish(new Uint8Array(0)), end: seen }),
  };
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** The text of a line, with a mark where bytes were dropped. */
function textOf(line: OutputBuffer): string {
  const dropped = line.droppedBytes();
  return dropped === 0 ? line.text() : `${line.text()}… [cut: ${dropped} bytes]`;
}
