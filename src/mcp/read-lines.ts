/** Cuts a stream of bytes into lines, and passes over those that are longer than anybody may send. */

interface LineReaderOptions {
  /** Bytes of the longest line. */
  readonly most: number;
  /** Gets each line without its end, null for one that was too long. */
  readonly onLine: (line: Uint8Array | null) => void;
}

const NEWLINE = 0x0a;

export function createLineReader({ most, onLine }: LineReaderOptions): { push(chunk: Uint8Array): void } {
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    size += part.length;
    if (size > most) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const finish = () => {
    const line = size > most ? null : joined(parts, size);
    parts = [];
    size = 0;
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
