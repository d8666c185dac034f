/** Follows a growing file line by line until its end is announced. */
import { fstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { watchFiles } from "./file-changes.ts";
import { createLineSplitter, type LineSplitter, type SplitLine } from "./line-splitter.ts";

export interface TailOptions {
  /** In an existing folder; the file itself may appear later. */
  readonly path: string;
  /** Byte offset to begin at: 0, or the `end` of a line that was read before. */
  readonly from: number;
  /** Aborted once the writer is done. The rest is read to its end, with an unfinished last line. */
  readonly ended: AbortSignal;
  /** Aborted to stop at once. */
  readonly signal?: AbortSignal;
  /** How often the file is checked if the system reports no change; default 3 s. */
  readonly pollMs?: number;
  readonly maxLineBytes?: number;
}

const READ_BYTES = 64 * 1024;

/**
 * Yields new complete lines, in batches of at most what one read of 64 KiB completes. `end` counts from the start of
 * the file. If the file was truncated while a line was unfinished, it is read again from that line on.
 */
export async function* tailFile(options: TailOptions): AsyncGenerator<readonly SplitLine[], void, void> {
  const { path, ended, signal } = options;
  const stops = signal ? [ended, signal] : [ended];
  const changes = watchFiles({
    folder: dirname(path),
    files: [basename(path)],
    pollMs: options.pollMs ?? 3000,
    signals: stops,
  });
  const reader = createReader(options);
  try {
    while (!signal?.aborted) {
      // Read before the file: everything written before the end was announced is in the file by now.
      const last = ended.aborted;
      for await (const lines of reader.newLines()) {
        if (signal?.aborted) return;
        yield lines;
      }
      if (!last) await changes.next();
      if (last) return yield* reader.rest();
    }
  } finally {
    changes.close();
    await reader.close();
  }
}

/** Reads a file from an offset on, again and again. */
function createReader({ path, from, maxLineBytes }: TailOptions) {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let file: FileHandle | null = null;
  let lineStart = from;
  let position = from;
  let splitter: LineSplitter = newSplitter();
  let base = from;

  function newSplitter(): LineSplitter {
    return createLineSplitter(maxLineBytes === undefined ? {} : { maxLineBytes });
  }

  const placed = (line: SplitLine): SplitLine => ({ ...line, end: base + line.end });

  const startAgain = (): void => {
    splitter = newSplitter();
    base = lineStart;
    position = lineStart;
  };

  async function* newLines(): AsyncGenerator<readonly SplitLine[], void, void> {
    file ??= await openOrNull(path);
    if (file === null) return;
    // Synchronous: this runs every second for every file, and nearly always nothing is new.
    const { size } = fstatSync(file.fd);
    if (size === position) return;
    if (size < position) startAgain();
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      const lines = splitter.push(buffer.subarray(0, bytesRead)).map(placed);
      lineStart = lines.at(-1)?.end ?? lineStart;
      if (lines.length > 0) yield lines;
    }
  }

  function* rest(): Generator<readonly SplitLine[], void, void> {
    const line = splitter.end();
    if (line !== null) yield [placed(line)];
  }

  return { newLines, rest, close: async () => file?.close() };
}

async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
