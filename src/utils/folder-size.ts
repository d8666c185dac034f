/** Measures a folder, within a bound. */
import { lstat, readdir } from "node:fs/promises";

/** How many files and folders may still be looked at; one budget may serve several measurings. */
export interface SizeBudget {
  left: number;
}

export interface FolderSize {
  /** Of every file, as long as it is (not the blocks that it takes). */
  readonly bytes: number;
  /** When the folder or anything in it was last written, in milliseconds since 1970; 0 where nothing is there. */
  readonly newestMs: number;
}

/** Links are counted, not followed; what cannot be read counts nothing. Null where the budget was used up before the end. */
export async function folderSize(path: string, budget: SizeBudget): Promise<FolderSize | null> {
  let bytes = 0;
  let newestMs = (await lstat(path).catch(() => null))?.mtimeMs ?? 0;
  const folders: Buffer[] = [Buffer.from(path)];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { encoding: "buffer" }).catch((): Buffer[] => []);
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
