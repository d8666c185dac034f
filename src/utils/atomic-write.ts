/** Writes a file whole or not at all, so that it survives a crash and a power cut. */
import {
  closeSync,
  constants,
  fchmodSync,
  fsync,
  ftruncateSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

// Only what waits for the disk is handed to another thread: for the rest, the way there takes longer than the work.
const sync = promisify(fsync);

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
  const temporary = join(folder, temporaryName(basename(path)));
  try {
    await writeDurably(temporary, data, options.mode ?? 0o600);
    if (options.existing === "refuse") linkSync(temporary, path);
    if (options.existing !== "refuse") renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  await syncFolder(folder);
}

/**
 * Removes what killed writers have left in a folder in which nobody writes any more, or, where a file's name is given,
 * what the writers of that file have left; a folder that is not there holds nothing.
 */
export async function removeTemporaries(
  folder: string,
  { of }: { readonly of?: string } = {},
): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const prefix = of === undefined ? "." : temporaryPrefix(of);
  const left = names.filter((name) => TEMPORARY.test(name) && name.startsWith(prefix));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

/** A name for a file that is on its way to become `name`. */
export function temporaryName(name: string): string {
  return `${temporaryPrefix(name)}${crypto.randomUUID().slice(0, MARK_LENGTH)}.tmp`;
}

function temporaryPrefix(name: string): string {
  return `.${name.slice(0, 60)}.`;
}

/** Moves a file that is durable already into the place of `path`, in the same folder. */
export async function moveIntoPlace(file: string, path: string): Promise<void> {
  renameSync(file, path);
  await syncFolder(dirname(path));
}

/** Puts `data` in the place of all that an existing file holds, durably. What is in it until then is in neither state. */
export async function overwriteDurably(path: string, data: string): Promise<void> {
  const file = openSync(path, "r+");
  try {
    writeFileSync(file, data);
    ftruncateSync(file, Buffer.byteLength(data));
    await sync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Makes a file that is not there, with exactly these permission bits; `usual` and `runnable` are what this process gives any
 * new file or program. Throws what the file system says, and may leave a part of the file then.
 */
export async function writeDurably(
  path: string,
  data: string | Uint8Array,
  mode: number | "usual" | "runnable",
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const masked = { usual: 0o666, runnable: 0o777 };
  const file = openSync(path, flags, typeof mode === "number" ? mode : masked[mode]);
  try {
    writeFileSync(file, data);
    // The mask of the process takes bits away from what was asked for; a usual file is meant to lose them.
    if (typeof mode === "number") fchmodSync(file, mode);
    await sync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the folder's own entries durable; Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = openSync(folder, constants.O_RDONLY);
  try {
    await sync(handle);
  } finally {
    closeSync(handle);
  }
}
