/** Opens a folder of ours that somebody closed by its mode: to root that says nothing, to every other user everything. */
import { chmod, lstat } from "node:fs/promises";

/** Gives its owner all rights on it again; what is no folder stays as it is. Throws where it is another user's. */
export async function openFolder(path: string | Buffer): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isDirectory() || (found.mode & 0o700) === 0o700) return;
  await chmod(path, (found.mode & 0o7777) | 0o700);
}
