/** Writes a file completely or not at all, so that it survives a crash and a power cut. */
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

// Only waiting for the disk goes to another thread. For everything else the handover would take longer than the work.
const sync = promisify(fsync);

interface AtomicWriteOptions {
  /** Permission bits; default 0o600. */
  readonly mode?: number;
  /** What to do if `path` exists: replace the file (default), or throw `EEXIST`. */
  readonly existing?: "replace" | "refuse";
}

const MARK_LENGTH = 13;
const TEMPORARY = /^\..*\.[0-9a-f]{8}-[0-9a-f]{4}\.tmp$/;

/**
 * Writes `data` to a temporary file beside `path`, makes it durable, and moves it into place. A reader sees the old
 * file or the new one. Throws the file system's error (`ENOSPC`, `EACCES`, `EEXIST`), and then leaves no temporary
 * file behind.
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
 * Removes temporary files of killed writers from a folder that has no writer any more. If a file's name is given,
 * only those of that file. A missing folder holds nothing.
 */
export async function removeTemporaries(
  folder: string,
  { name }: { readonly name?: string } = {},
): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const prefix = name === undefined ? "." : temporaryPrefix(name);
  const left = names.filter((file) => TEMPORARY.test(file) && file.startsWith(prefix));
  await Promise.all(left.map((file) => rm(join(folder, file), { force: true })));
}

/** A temporary name for a file that will become `name`. */
export function temporaryName(name: string): string {
  return `${temporaryPrefix(name)}${crypto.randomUUID().slice(0, MARK_LENGTH)}.tmp`;
}

function temporaryPrefix(name: string): string {
  return `.${name.slice(0, 60)}.`;
}

/** Moves a file that is already durable to `path`, in the same folder. */
export async function moveIntoPlace(file: string, path: string): Promise<void> {
  renameSync(file, path);
  await syncFolder(dirname(path));
}

/**
 * Replaces the whole content of an existing file by `data`, durably. During the write, the file is in neither state.
 */
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
 * Makes a new file with exactly these permission bits. `usual` and `runnable` are the bits that this process gives
 * any new file or program. Throws the file system's error, and may then leave a part of the file.
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
    // The umask of the process removes requested bits. For a usual file this is intended.
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
