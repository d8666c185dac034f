/** Deletes a folder and everything in it, even folders without write permission and names that are not text. */
import { chmod, lstat, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { newId } from "../values/ids.ts";
import { lstatOrNull } from "./is-there.ts";

/** In a folder with a shorter path, no name exceeds the system's limit (4096 bytes on Linux, 1024 on macOS). */
const LONG_BYTES = process.platform === "darwin" ? 700 : 3800;

/** Links are deleted, never followed. A missing path is success. Throws if the file system refuses. */
export async function removeTree(path: string | Buffer): Promise<void> {
  await remove(Buffer.from(path), Buffer.from(path));
}

async function remove(path: Buffer, top: Buffer): Promise<void> {
  const found = await lstatOrNull(path);
  if (found === null) return;
  if (!found.isDirectory()) return unlink(path);
  // Otherwise its entries could not be listed or deleted, and it could not be moved.
  await openFolder(path);
  if (path.length > LONG_BYTES) return removeFrom(top, path);
  const names = await readdir(path, { encoding: "buffer" });
  for (const name of names) await remove(Buffer.concat([path, Buffer.from("/"), name]), top);
  await rmdir(path);
}

/** An entry whose path is too long is first moved up to the top. */
async function removeFrom(top: Buffer, deep: Buffer): Promise<void> {
  const up = Buffer.concat([top, Buffer.from(`/${newId()}`)]);
  await rename(deep, up);
  await remove(up, top);
}

/**
 * Gives the owner of a folder all rights on it again, if its mode was closed. Root ignores modes, but every other
 * user needs this. Anything but a folder stays as it is. Throws if it belongs to another user.
 */
export async function openFolder(path: string | Buffer): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isDirectory() || (found.mode & 0o700) === 0o700) return;
  await chmod(path, (found.mode & 0o7777) | 0o700);
}
