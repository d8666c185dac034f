/** Keeps the head of a stream of bytes in bounded memory and turns it into text once. */

export interface OutputBuffer {
  /** Takes the next bytes; what goes past the limit is counted and dropped. */
  push(chunk: Uint8Array): void;
  /** What was kept, as UTF-8; a character that the limit would split is left out whole, bad bytes become U+FFFD. */
  text(): string;
  /** How many bytes are not in `text()`; 0 where nothing was lost. */
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
function grown(old: Buffer, used: number, needed: number, most: number): Buffer<ArrayBuffer> {
  const capacity = Math.min(most, Math.max(needed, old.length * 2, FIRST_CAPACITY));
  const larger = Buffer.allocUnsafe(capacity);
  larger.set(old.subarray(0, used));
  return larger;
}

/**
 * Where the last complete UTF-8 character of `bytes[0, end)` ends; at most three bytes before `end`.
 * Bytes that are no UTF-8 at all are left to the decoder.
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
