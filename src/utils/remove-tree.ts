/** Deletes a folder and everything in it, folders that may not be written and names that are no text too. */
import { chmod, lstat, readdir, rmdir, unlink } from "node:fs/promises";

/** Links are deleted, never followed. What is gone already is success; throws where the file system refuses. */
export async function removeTree(path: string): Promise<void> {
  await remove(Buffer.from(path));
}

async function remove(path: Buffer): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isDirectory()) return unlink(path);
  // Else its entries could not be listed or deleted.
  if ((found.mode & 0o700) !== 0o700) await chmod(path, 0o700);
  const names = await readdir(path, { encoding: "buffer" });
  for (const name of names) await remove(Buffer.concat([path, Buffer.from("/"), name]));
  await rmdir(path);
}
