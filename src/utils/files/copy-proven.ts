/** Copies a file or folder to another place, and compares every file before the copy counts. */
import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import {
  chmod,
  lstat,
  lutimes,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  symlink,
  utimes,
} from "node:fs/promises";
import { removeTree } from "./remove-tree.ts";

/** Names are bytes, not always text. */
type Path = string | Buffer;

/**
 * Copies `from` to `to`, which appears there completely or not at all; `from` stays. An unfinished earlier copy (`to`
 * with `.part` behind it) is deleted first. Returns how many sockets, pipes and devices were left out: they hold
 * nothing. Throws if a file cannot be copied, or the copy differs.
 */
export async function copyProven(from: Path, to: Path, options: CopyOptions = {}): Promise<number> {
  const part = Buffer.concat([Buffer.from(to), Buffer.from(".part")]);
  await removeTree(part);
  const leftOut = await copy(Buffer.from(from), part, options);
  await proveSame(Buffer.from(from), part, options);
  await rename(part, to);
  return leftOut;
}

/** Whether a rename failed because both places are on different file systems. */
export function isCrossDeviceError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EXDEV";
}

interface CopyOptions {
  /** Names directly in the folder that are left out. */
  readonly except?: readonly string[];
}

/** Keeps times, modes and links. Returns the number of entries that were left out. */
async function copy(from: Buffer, to: Buffer, { except = [] }: CopyOptions = {}): Promise<number> {
  const found = await lstat(from);
  if (found.isSymbolicLink()) {
    await symlink(await readlink(from, { encoding: "buffer" }), to);
    await lutimes(to, found.atime, found.mtime);
    return 0;
  }
  if (found.isFile()) {
    await copyFileTo(from, to, found);
    return 0;
  }
  if (!found.isDirectory()) return 1;
  await mkdir(to, { mode: 0o700 });
  let leftOut = 0;
  for (const name of await namesIn(from, found, except))
    leftOut += await copy(below(from, name), below(to, name));
  await dress(to, found);
  await syncFolder(to);
  return leftOut;
}

/** The copy is on the disk when this resolves, because the original is about to be deleted. */
async function copyFileTo(from: Buffer, to: Buffer, found: Stats): Promise<void> {
  const written = await open(to, "wx", 0o600);
  try {
    await eachChunk(from, found, async (chunk) => void (await written.writeFile(chunk)));
    await written.sync();
  } finally {
    await written.close();
  }
  await dress(to, found);
}

async function dress(path: Buffer, { mode, atime, mtime }: Stats): Promise<void> {
  await utimes(path, atime, mtime);
  await chmod(path, mode & 0o7777);
}

async function syncFolder(path: Buffer): Promise<void> {
  const handle = await open(path, "r").catch(() => null);
  if (handle === null) return;
  try {
    // Some file systems cannot sync a folder; the files themselves are on the disk.
    await handle.sync().catch(() => undefined);
  } finally {
    await handle.close();
  }
}

/** Throws unless `to` equals `from`: names, kinds, modes, links, and every byte of every file. */
export async function proveSame(from: Path, to: Path, { except = [] }: CopyOptions = {}): Promise<void> {
  const [source, target] = [Buffer.from(from), Buffer.from(to)];
  const [left, right] = [await lstat(source), await lstat(target)];
  if (kindOf(left) !== kindOf(right) || (!left.isSymbolicLink() && (left.mode ^ right.mode) & 0o7777))
    throw new DifferingCopy(source);
  if (left.isSymbolicLink()) {
    const [one, other] = await Promise.all(
      [source, target].map((path) => readlink(path, { encoding: "buffer" })),
    );
    if (!one?.equals(other ?? Buffer.alloc(0))) throw new DifferingCopy(source);
  } else if (left.isFile()) {
    const [one, other] = [await digest(source, left), await digest(target, right)];
    if (left.size !== right.size || one !== other) throw new DifferingCopy(source);
  } else if (left.isDirectory()) await proveSameFolder({ source, left, target, right, except });
}

async function proveSameFolder(folders: {
  readonly source: Buffer;
  readonly left: Stats;
  readonly target: Buffer;
  readonly right: Stats;
  readonly except: readonly string[];
}): Promise<void> {
  const { source, target } = folders;
  const wanted: Buffer[] = [];
  for (const name of await namesIn(source, folders.left, folders.except))
    if (kindOf(await lstat(below(source, name))) !== "other") wanted.push(name);
  const there = await namesIn(target, folders.right, folders.except);
  if (wanted.length !== there.length) throw new DifferingCopy(source);
  for (const name of wanted) await proveSame(below(source, name), below(target, name));
}

/** The copy differs from its original: another process wrote there meanwhile, or the disk fails. */
class DifferingCopy extends Error {
  constructor(path: Buffer) {
    super(`${path.toString()} differs from its copy on the other file system`);
  }
}

function kindOf(found: Stats): "folder" | "file" | "link" | "other" {
  if (found.isDirectory()) return "folder";
  if (found.isFile()) return "file";
  return found.isSymbolicLink() ? "link" : "other";
}

async function namesIn(folder: Buffer, found: Stats, except: readonly string[]): Promise<readonly Buffer[]> {
  const names = await readable(folder, found, () => readdir(folder, { encoding: "buffer" }));
  return names.filter((name) => !except.includes(name.toString()));
}

async function digest(path: Buffer, found: Stats): Promise<string> {
  const hash = createHash("sha256");
  await eachChunk(path, found, async (chunk) => void hash.update(chunk));
  return hash.digest("hex");
}

const CHUNK_BYTES = 1024 ** 2;

/** All chunks share one buffer: the bytes are valid until `take` resolves. */
async function eachChunk(path: Buffer, found: Stats, take: (chunk: Buffer) => Promise<void>): Promise<void> {
  const handle = await readable(path, found, () => open(path, "r"));
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      await take(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Opens one of our files or folders for a moment if its mode was closed. */
async function readable<T>(path: Buffer, { mode }: Stats, act: () => Promise<T>): Promise<T> {
  const needed = mode | 0o400 | (mode & 0o040000 ? 0o100 : 0);
  if ((needed & 0o7777) === (mode & 0o7777)) return act();
  await chmod(path, needed & 0o7777);
  try {
    return await act();
  } finally {
    await chmod(path, mode & 0o7777);
  }
}

function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from("/"), name]);
}
