/** Moves the entries of one folder into another one, and never overwrites anything. */
import { chmod, lstat, readdir, rename } from "node:fs/promises";
import { copyProven, isCrossDeviceError } from "./copy-proven.ts";
import { isThere } from "./is-there.ts";
import { removeTree } from "./remove-tree.ts";

/**
 * Renames every entry of `from` into `to`, except those named in `except`. Returns a path that is already taken, or
 * null if all entries were moved. It may be repeated, because moved entries are no longer in `from`. A missing folder
 * holds nothing. Throws if the file system refuses, as it does between two file systems.
 */
export async function moveEntries(
  from: string,
  to: string,
  options: { readonly except: readonly string[] },
): Promise<string | null> {
  // Names are bytes, not always text.
  const names = await readdir(from, { encoding: "buffer" }).catch(noneIfGone);
  const wanted = names.filter((name) => !options.except.includes(name.toString()));
  for (const name of wanted) {
    const place = inside(to, name);
    if (await isThere(place)) return place.toString();
    await renameEntry(inside(from, name), place);
  }
  return null;
}

/**
 * Uses one rename. Between two file systems the entry is copied, compared and then deleted. After an interrupted try,
 * only the rest is done. A move changes the entry `..` of a folder. So a folder without write permission gets that
 * permission for a moment.
 */
export async function moveEntry(from: Buffer | string, to: Buffer | string): Promise<void> {
  try {
    await renameEntry(from, to);
  } catch (error) {
    if (!isCrossDeviceError(error)) throw error;
    await moveAcross(from, to);
  }
}

async function renameEntry(from: Buffer | string, to: Buffer | string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const { mode } = await lstat(from);
    if ((error as NodeJS.ErrnoException).code !== "EACCES" || (mode & 0o200) !== 0) throw error;
    await chmod(from, (mode & 0o7777) | 0o200);
    await rename(from, to);
    await chmod(to, mode & 0o7777);
  }
}

/** If `to` exists, an earlier try was interrupted while it deleted `from`. Then `to` is a verified copy. */
async function moveAcross(from: Buffer | string, to: Buffer | string): Promise<void> {
  if (!(await isThere(to))) await copyProven(from, to);
  await removeTree(from);
}

function inside(folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), name]);
}

function noneIfGone(error: NodeJS.ErrnoException): Buffer[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
