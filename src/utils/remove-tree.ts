/** Deletes a folder and everything in it, folders that may not be written and names that are no text too. */
import { lstat, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { newId } from "./ids.ts";
import { openFolder } from "./open-folder.ts";

/** No name in a folder whose path is shorter makes one that is longer than a system takes (4096 bytes on Linux, 1024 on macOS). */
const LONG_BYTES = process.platform === "darwin" ? 700 : 3800;

/** Links are deleted, never followed. What is gone already is success; throws where the file system refuses. */
export async function removeTree(path: string): Promise<void> {
  await remove(Buffer.from(path), path);
}

async function remove(path: Buffer, top: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isDirectory()) return unlink(path);
  // Else its entries could not be listed or deleted, nor itself moved.
  await openFolder(path);
  if (path.length > LONG_BYTES) return removeFrom(top, path);
  const names = await readdir(path, { encoding: "buffer" });
  for (const name of names) await remove(Buffer.concat([path, Buffer.from("/"), name]), top);
  await rmdir(path);
}

/** What lies deeper than a path may be long is brought up first. */
async function removeFrom(top: string, deep: Buffer): Promise<void> {
  const up = Buffer.from(`${top}/${newId()}`);
  await rename(deep, up);
  await remove(up, top);
}
