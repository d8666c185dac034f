/** Reads the complete lines of a growing file; each reading goes on from where the last one stopped. */
import { type FileHandle, open, stat } from "node:fs/promises";
import { isGone } from "../../utils/files/is-there.ts";
import { createLineSplitter } from "../../utils/files/line-splitter.ts";
import type { FileLine } from "../log-chunks/fed-file.ts";

export interface GrowingFile {
  /** Its size now; 0 if it does not exist. */
  size(): Promise<number>;
  /** The new lines that end within the first `to` bytes. */
  lines(to: number): AsyncGenerator<readonly FileLine[], void, void>;
  /** The end of the last line that was read. */
  end(): number;
}

const CHUNK_BYTES = 1024 * 1024;

export function createGrowingFile(path: string): GrowingFile {
  let splitter = createLineSplitter();
  let base = 0;
  let position = 0;
  let end = 0;

  const placed = (line: { readonly text: string; readonly end: number }): FileLine => {
    const start = end;
    end = base + line.end;
    return { text: line.text, start, end };
  };

  /** The keeper cuts off an incomplete line if the disk had no room for the rest. */
  const startAgain = (): void => {
    splitter = createLineSplitter();
    [base, position] = [end, end];
  };

  async function* read(file: FileHandle, to: number): AsyncGenerator<readonly FileLine[], void, void> {
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, to - position)));
    while (position < to) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - position), position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield splitter.push(buffer.subarray(0, bytesRead)).map(placed);
    }
  }

  return {
    size: async () => (await unlessGone(stat(path)))?.size ?? 0,
    lines: async function* (to) {
      if (to < position) startAgain();
      if (to <= position) return;
      const file = await unlessGone(open(path, "r"));
      if (file === null) return;
      try {
        yield* read(file, to);
      } finally {
        await file.close();
      }
    },
    end: () => end,
  };
}

async function unlessGone<T>(found: Promise<T>): Promise<T | null> {
  return found.catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
}
