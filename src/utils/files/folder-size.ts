/** Measures a folder, within a bound. */
import { lstat, readdir } from "node:fs/promises";
import { isGone } from "./is-there.ts";

/** How many more files and folders may be read; several calls may share one budget. */
export interface SizeBudget {
  left: number;
}

interface FolderSize {
  /** The sum of all file lengths (not of the blocks that they take). */
  readonly bytes: number;
  /** When the folder or anything in it was last written, in milliseconds since 1970; 0 if nothing is there. */
  readonly newestMs: number;
}

/**
 * Links are counted, not followed. What cannot be read counts no bytes, and may have been written at any time. A
 * folder that is closed to us was not written since its mode was changed. Null if the budget was used up before the
 * end.
 */
export async function folderSize(path: string, budget: SizeBudget): Promise<FolderSize | null> {
  let bytes = 0;
  let newestMs = (await lstat(path).catch(() => null))?.mtimeMs ?? 0;
  const folders: Buffer[] = [Buffer.from(path)];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { encoding: "buffer" }).catch(async (error: unknown) => {
      newestMs = Math.max(newestMs, await lastWritten(folder, error));
      return [];
    });
    for (const name of entries) {
      if (budget.left <= 0) return null;
      budget.left -= 1;
      const place = Buffer.concat([folder, Buffer.from("/"), name]);
      const found = await lstat(place).catch(() => null);
      newestMs = Math.max(newestMs, found?.mtimeMs ?? 0);
      if (found?.isDirectory()) folders.push(place);
      else bytes += found?.size ?? 0;
    }
  }
  return { bytes, newestMs };
}

/** The latest time at which an unreadable folder may have been written. */
async function lastWritten(folder: Buffer, error: unknown): Promise<number> {
  if (isGone(error)) return 0;
  const isClosed = (error as NodeJS.ErrnoException).code === "EACCES";
  const found = isClosed ? await lstat(folder).catch(() => null) : null;
  return found?.ctimeMs ?? Number.POSITIVE_INFINITY;
}
