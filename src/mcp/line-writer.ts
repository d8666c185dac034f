/** Writes lines, and knows whether too much of them waits for a client that does not read. */

export interface LineWriter {
  /** Rejects when nobody reads any more. */
  write(line: string): Promise<void>;
  /** Settles when little enough waits, or `release` was called. */
  room(): Promise<void>;
  release(): void;
}

/** UTF-16 units of answers that nobody has read yet. */
const MOST_UNREAD = 16 * 1024 * 1024;

export function createLineWriter(write: (text: string) => Promise<void>): LineWriter {
  let unread = 0;
  let goOn = () => {};
  return {
    async write(line) {
      unread += line.length;
      try {
        await write(line);
      } finally {
        unread -= line.length;
        if (unread <= MOST_UNREAD) goOn();
      }
    },
    async room() {
      if (unread > MOST_UNREAD)
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
    },
    release: () => goOn(),
  };
}
