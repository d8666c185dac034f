/** Collects lines from the bytes of a file as they arrive, and never keeps more than was asked for. */
import { cutText } from "../../exec/exec_command/cut_text.ts";

interface LinesWanted {
  /** The first line, counted from 1. */
  readonly first: number;
  readonly max: number;
  /** UTF-16 units, line ends included. */
  readonly maxChars: number;
}

interface LineReader {
  /** Takes the next bytes; true if no more are needed. */
  push(chunk: Uint8Array): boolean;
  /** Reports the end of the file. */
  end(): void;
  found(): FoundLines;
}

interface FoundLines {
  readonly content: string;
  readonly lines: number;
  /** Null if the whole file was read. */
  readonly nextLine: number | null;
  /** Null if reading stopped before the end. */
  readonly totalLines: number | null;
  readonly cutLine: number | null;
  readonly invalidUtf8: boolean;
}

const LINE_FEED = 10;

/** A line that no longer fits is left for the next call. A line is cut only if it would fill a whole call. */
export function createLineReader({ first, max, maxChars }: LinesWanted): LineReader {
  let line = 1;
  let content = "";
  let lines = 0;
  let isOpen = false;
  let cutLine: number | null = null;
  let invalidUtf8 = false;
  let [stopped, ended] = [false, false];
  // No UTF-16 unit comes from more than three bytes.
  const bytes = createByteKeeper(maxChars * 3 + 3);

  const take = (whole: boolean) => {
    const decoded = decode(bytes.take(), whole);
    if (content.length + decoded.text.length > maxChars && lines > 0) {
      stopped = true;
      return;
    }
    const { text, cut } = cutText(decoded.text, maxChars);
    content += text;
    lines += 1;
    invalidUtf8 = invalidUtf8 || decoded.invalid;
    if (cut) cutLine = line;
    line += 1;
  };
  const endLine = (whole: boolean) => {
    if (line < first) line += 1;
    else take(whole);
    isOpen = false;
  };

  return {
    push: (chunk) => {
      for (let at = 0; at < chunk.length && !stopped; ) {
        // One more byte than needed has arrived, so the file continues.
        if (lines === max || cutLine !== null) stopped = true;
        if (stopped) break;
        const feed = chunk.indexOf(LINE_FEED, at);
        const end = feed === -1 ? chunk.length : feed + 1;
        isOpen = true;
        if (line >= first) bytes.keep(chunk.subarray(at, end));
        // If a line is longer than the limit, the rest of it need not be read.
        if (feed !== -1 || bytes.isFull()) endLine(!bytes.isFull());
        at = end;
      }
      return stopped;
    },
    end: () => {
      if (!stopped && isOpen) endLine(true);
      ended = !stopped;
    },
    found: () => ({
      content,
      lines,
      nextLine: ended ? null : line,
      totalLines: ended ? line - 1 : null,
      cutLine,
      invalidUtf8,
    }),
  };
}

/** Keeps the bytes of one line over several chunks: at most one byte more than `max`. */
function createByteKeeper(max: number) {
  let parts: Uint8Array[] = [];
  let length = 0;
  return {
    keep: (bytes: Uint8Array) => {
      const part = bytes.slice(0, max + 1 - length);
      parts.push(part);
      length += part.length;
    },
    isFull: () => length > max,
    take: () => {
      const taken = parts;
      [parts, length] = [[], 0];
      return taken;
    },
  };
}

/** If a line is cut, the partial character at its end is left out. */
function decode(
  parts: readonly Uint8Array[],
  whole: boolean,
): { readonly text: string; readonly invalid: boolean } {
  const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  const stream = !whole;
  try {
    const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { text: strict.decode(bytes, { stream }), invalid: false };
  } catch {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream });
    return { text, invalid: true };
  }
}
