/** Reads what an agent wrote as its own summary: a file of the agent's making, so it may be anything. */
import { closeSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openInside } from "../../utils/open-inside.ts";

/** More than any commit message takes; the rest is left. */
const MOST_BYTES = 256 * 1024;

/** Null where there is no plain file: a link would show us what is ours, and a pipe without a writer would hold us for ever. */
export function readSummary(file: string): string | null {
  const folder = realFolder(dirname(file));
  if (folder === null) return null;
  const opened = openInside(folder, join(folder, basename(file)), "file");
  if (!opened.ok) return null;
  try {
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString("utf8", 0, readSync(opened.descriptor, bytes));
  } finally {
    closeSync(opened.descriptor);
  }
}

function realFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
