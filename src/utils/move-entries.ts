/** Moves what lies in one folder into another one of the same file system, and never over anything that is there. */
import { chmod, lstat, readdir, rename } from "node:fs/promises";

/**
 * Renames every entry of `from` into `to`, but those named in `except`; answers the place where something lies in the way, null where all
 * is moved. May be repeated: what is moved already is not there
 * any more. A folder that is gone holds nothing. Throws where the file system refuses.
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
    if ((await lstat(place).catch(() => null)) !== null) return place.toString();
    await moveEntry(inside(from, name), place);
  }
  return null;
}

/** By one rename. A folder that may not be written cannot change its parent either: it is made so for that instant. */
export async function moveEntry(from: Buffer | string, to: Buffer | string): Promise<void> {
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

function inside(folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), name]);
}

function noneIfGone(error: NodeJS.ErrnoException): Buffer[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
