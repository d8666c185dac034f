/** Reads how much space a file system has. */
import { statfs } from "node:fs/promises";

interface DiskSpace {
  /** Bytes that an ordinary user may still write. */
  readonly free: number;
  /** Bytes of the whole file system. */
  readonly total: number;
}

/** The space of the file system that holds `path`. Throws if the path cannot be read (`ENOENT`). */
export async function freeSpace(path: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** How many more files and folders fit; null if the file system counts none (btrfs). Throws as `freeSpace` does. */
export async function freeFiles(path: string): Promise<number | null> {
  const { files, ffree } = await statfs(path);
  return files === 0 ? null : ffree;
}
