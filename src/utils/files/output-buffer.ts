/** Keeps the beginning of a byte stream in bounded memory, decodes it once, and can pass on all of it. */

export interface OutputBuffer {
  /** Takes the next bytes; bytes past the limit are counted and dropped. */
  push(chunk: Uint8Array): void;
  /** The kept bytes as UTF-8. A character that the limit would split is left out; bad bytes become U+FFFD. */
  text(): string;
  /** How many bytes are not in `text()`; 0 if nothing was lost. */
  droppedBytes(): number;
  /** How many bytes came so far. */
  seenBytes(): number;
}

const FIRST_CAPACITY = 4096;

/** A buffer that keeps at most `maxBytes` bytes. */
export function createOutputBuffer(options: { readonly maxBytes: number }): OutputBuffer {
  let kept = Buffer.alloc(0);
  let length = 0;
  let total = 0;

  const push = (chunk: Uint8Array): void => {
    total += chunk.length;
    const wanted = Math.min(chunk.length, options.maxBytes - length);
    if (wanted <= 0) return;
    if (length + wanted > kept.length) kept = grown(kept, length, length + wanted, options.maxBytes);
    kept.set(chunk.subarray(0, wanted), length);
    length += wanted;
  };

  const end = () => (total > length ? endOfWholeCharacters(kept, length) : length);

  return {
    push,
    text: () => kept.toString("utf8", 0, end()),
    droppedBytes: () => total - end(),
    seenBytes: () => total,
  };
}

/** A larger copy; doubling keeps the copying linear, and the limit keeps it bounded. */
function grown(old: Buffer, used: number, needed: number, max: number): Buffer<ArrayBuffer> {
  const capacity = Math.min(max, Math.max(needed, old.length * 2, FIRST_CAPACITY));
  const larger = Buffer.allocUnsafe(capacity);
  larger.set(old.subarray(0, used));
  return larger;
}

/**
 * The end of the last complete UTF-8 character of `bytes[0, end)`, at most three bytes before `end`. Bytes that are
 * not UTF-8 at all are left to the decoder.
 */
function endOfWholeCharacters(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= Math.min(3, end); back++) {
    const byte = bytes[end - back] ?? 0;
    if (byte < 0x80) return end;
    if (byte < 0xc0) continue;
    return lengthOfCharacter(byte) > back ? end - back : end;
  }
  return end;
}

function lengthOfCharacter(firstByte: number): number {
  if (firstByte >= 0xf0) return 4;
  return firstByte >= 0xe0 ? 3 : 2;
}

interface CapturedOutput extends OutputBuffer {
  /** Passes on the rest of an unfinished character. */
  end(): void;
}

/** Keeps the beginning of a program's output and passes on all of it as text, never half a character. */
export function captureOutput(options: {
  readonly maxBytes: number;
  readonly listener: ((text: string) => void) | null;
}): CapturedOutput {
  const { listener } = options;
  const buffer = createOutputBuffer({ maxBytes: options.maxBytes });
  if (listener === null) return { ...buffer, end: () => {} };
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const pass = (text: string) => (text === "" ? undefined : listener(text));
  const push = (chunk: Uint8Array): void => {
    buffer.push(chunk);
    pass(decoder.decode(chunk, { stream: true }));
  };
  return { ...buffer, push, end: () => pass(decoder.decode()) };
}
