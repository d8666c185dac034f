/** Writes a file whole or not at all, so that it survives a crash and a power cut. */
import { constants } from "node:fs";
import { link, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface AtomicWriteOptions {
  /** Permission bits; 0o600 unless told. */
  readonly mode?: number;
  /** What to do where `path` exists: put the new file in its place (the default), or throw `EEXIST`. */
  readonly existing?: "replace" | "refuse";
}

const MARK_LENGTH = 13;
const TEMPORARY = /^\..*\.[0-9a-f]{8}-[0-9a-f]{4}\.tmp$/;

/**
 * Writes `data` to a temporary file beside `path`, makes it durable, and moves it into place: a reader sees the
 * old file or the new one. Throws what the file system says (`ENOSPC`, `EACCES`, `EEXIST`), and leaves no
 * temporary file behind then.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const folder = dirname(path);
  const mark = crypto.randomUUID().slice(0, MARK_LENGTH);
  const temporary = join(folder, `.${basename(path).slice(0, 100)}.${mark}.tmp`);
  try {
    await writeDurably(temporary, data, options.mode ?? 0o600);
    if (options.existing === "refuse") await link(temporary, path);
    if (options.existing !== "refuse") await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(folder);
}

/** Removes what killed writers have left in a folder in which nobody writes any more; one that is not there holds nothing. */
export async function removeTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const left = names.filter((name) => TEMPORARY.test(name));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

/** Moves a file that is durable already into the place of `path`, in the same folder. */
export async function moveIntoPlace(file: string, path: string): Promise<void> {
  await rename(file, path);
  await syncFolder(dirname(path));
}

async function writeDurably(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const file = await open(path, flags, mode);
  try {
    await file.writeFile(data);
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the folder's own entries durable; Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
