/** Reads a short file that another user may control: it follows no link and never waits at a pipe. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Windows has none of these. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
const FLAGS = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

/** Its text. Null if it is longer than `max` bytes, is not a plain file, or cannot be read. */
export function readPlainFile(path: string, max: number): string | null {
  let file: number;
  try {
    file = openSync(path, FLAGS);
  } catch {
    return null;
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > max) return null;
    const bytes = Buffer.alloc(found.size);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, found.size, 0));
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
