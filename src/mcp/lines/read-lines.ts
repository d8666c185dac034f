/** Cuts a stream of bytes into lines; of a line that is too long it keeps the message's id. */
import { createIdFinder, type IdFinder } from "./find-id.ts";

/** Stands for a line that was too long. */
export interface TooLong {
  /** The id of its message; null if there is none. */
  readonly id: string | number | null;
}

interface LineReaderOptions {
  /** Bytes of the longest line. */
  readonly max: number;
  /** Gets each line without its end. */
  readonly onLine: (line: Uint8Array | TooLong) => void;
}

const NEWLINE = 0x0a;

interface LineReader {
  push(chunk: Uint8Array): void;
  /** The stream is over: the rest after the last line end is a line, too. */
  end(): void;
}

export function createLineReader({ max, onLine }: LineReaderOptions): LineReader {
  let finder: IdFinder | null = null;
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    size += part.length;
    if (part.length > 0) parts.push(part);
    if (size <= max) return;
    finder ??= createIdFinder();
    for (const passed of parts) finder.push(passed);
    parts = [];
  };
  const finish = () => {
    const line = finder === null ? joined(parts, size) : { id: finder.id() };
    [parts, size, finder] = [[], 0, null];
    onLine(line);
  };
  return {
    push(chunk) {
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, to));
        finish();
        from = to + 1;
      }
      // A stream may use its memory again for the next chunk.
      keep(chunk.slice(from));
    },
    end() {
      if (size > 0) finish();
    },
  };
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
