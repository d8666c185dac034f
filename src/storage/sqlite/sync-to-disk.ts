/** Makes sure that a file, or the list of a folder, is on the disk, not just in a cache. */
import { closeSync, fsyncSync, openSync } from "node:fs";

export function syncFile(path: string): void {
  sync(path, "r+");
}

/** Windows has no such call, and needs none. */
export function syncFolder(path: string): void {
  if (process.platform !== "win32") sync(path, "r");
}

function sync(path: string, flags: "r" | "r+"): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
