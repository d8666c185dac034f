/** Holds the newest output of a terminal for its reader, and makes its programs wait if the reader is behind. */

interface OutputWindow {
  /** Takes the next bytes. The promise settles when there is room for more. */
  add(chunk: Uint8Array): Promise<void> | undefined;
  /**
   * The bytes from `after` on, or from the oldest one that is held; empty if there are none yet. It tells that nothing
   * before `after` is needed any more.
   */
  take(after: number): { readonly bytes: Uint8Array; readonly end: number };
  /** Settles when something changed since the last call of `take`, or after `ms`, or with the signal. */
  change(ms: number, signal: AbortSignal): Promise<void>;
  /** Wakes whoever waits for a change. */
  wake(): void;
  /** From now on nothing is kept, and nobody waits. */
  discard(): void;
}

interface WindowOptions {
  /** How many bytes that were read are kept for a reader whose connection broke. */
  readonly behind: number;
  /** How many unread bytes are taken before the writer has to wait. */
  readonly ahead: number;
  /** The most bytes of one piece. */
  readonly piece: number;
}

export function createOutputWindow({ behind, ahead, piece }: WindowOptions): OutputWindow {
  let chunks: Uint8Array[] = [];
  let start = 0;
  let end = 0;
  let read = 0;
  let discarded = false;
  let giveRoom = () => {};
  const news = createNews();
  const dropOld = (): void => {
    let dropped = 0;
    for (const { length } of chunks) {
      if (start + length > read - behind) break;
      start += length;
      dropped += 1;
    }
    if (dropped > 0) chunks = chunks.slice(dropped);
  };
  return {
    add: (chunk) => {
      if (discarded) return undefined;
      chunks.push(chunk.slice());
      end += chunk.length;
      news.tell();
      if (end - read < ahead) return undefined;
      return new Promise((resolve) => {
        giveRoom = resolve;
      });
    },
    take: (after) => {
      news.taken();
      const from = Math.min(Math.max(after, start), end);
      read = Math.max(read, from);
      dropOld();
      if (end - read < ahead) giveRoom();
      const bytes = cut(chunks, from - start, piece);
      return { bytes, end: from + bytes.length };
    },
    change: news.wait,
    wake: news.tell,
    discard: () => {
      discarded = true;
      chunks = [];
      start = end;
      giveRoom();
      news.tell();
    },
  };
}

/** One that waits learns of what was told since the last `taken`. */
function createNews() {
  let isNew = false;
  let wake = () => {};
  return {
    taken: () => {
      isNew = false;
    },
    tell: () => {
      isNew = true;
      wake();
    },
    wait: (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (isNew || signal.aborted) return resolve();
        const timer = setTimeout(done, ms);
        function done() {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          resolve();
        }
        wake = done;
        signal.addEventListener("abort", done, { once: true });
      }),
  };
}

/** At most `most` bytes from byte `from` on. */
function cut(chunks: readonly Uint8Array[], from: number, most: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let [skip, left] = [from, most];
  for (const chunk of chunks) {
    if (left <= 0) break;
    const part = chunk.subarray(Math.min(skip, chunk.length), Math.min(skip + left, chunk.length));
    skip = Math.max(0, skip - chunk.length);
    left -= part.length;
    if (part.length > 0) parts.push(part);
  }
  return Buffer.concat(parts);
}
