/** Shortens a log to its newest lines, in the file itself and without holding them in memory. */
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;
const NOTE = Buffer.from("… [cut: older lines]\n");

/**
 * Keeps the lines that begin within the last `keep` of `size` bytes, behind one that says that there were more. Returns
 * the new size. Throws what the file system says.
 */
export function dropOldest(
  path: string,
  { size, keep }: { readonly size: number; readonly keep: number },
): number {
  if (size <= keep) return size;
  const file = openSync(path, "r+");
  try {
    const from = lineStart(file, size - keep);
    let to = from < NOTE.length ? 0 : writeSync(file, NOTE, 0, NOTE.length, 0);
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let at = from; at < size; ) {
      const read = readSync(file, chunk, 0, Math.min(chunk.length, size - at), at);
      if (read === 0) break;
      to += writeSync(file, chunk, 0, read, to);
      at += read;
    }
    ftruncateSync(file, to);
    return to;
  } finally {
    closeSync(file);
  }
}

/** Where the first line begins that begins at or after `at`; the end of the file where none does. */
function lineStart(file: number, at: number): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let start = at - 1; ; ) {
    const read = readSync(file, chunk, 0, chunk.length, start);
    const found = chunk.subarray(0, read).indexOf(LINE_FEED);
    if (found >= 0) return start + found + 1;
    if (read === 0) return start;
    start += read;
  }
}
