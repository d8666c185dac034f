/** Checks whether a path exists, and reads it if so; an unreadable path does not count as missing. */
import type { Stats } from "node:fs";
import { lstat, readFile } from "node:fs/promises";

const GONE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

/**
 * A link exists even if its target does not. Throws the system's error if the answer is unknown, such as for a closed
 * folder.
 */
export async function isThere(path: string | Buffer): Promise<boolean> {
  return (await lstatOrNull(path)) !== null;
}

/** What exists at a path, or a link itself; null if nothing does. Throws as `isThere` does. */
export async function lstatOrNull(path: string | Buffer): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** Whether a folder exists there; a link to one is none. Throws as `isThere` does. */
export async function isFolder(path: string): Promise<boolean> {
  return (await lstatOrNull(path))?.isDirectory() ?? false;
}

/** Whether a system error says that nothing exists there. No other error says that. */
export function isGone(error: unknown): boolean {
  return GONE.has((error as NodeJS.ErrnoException).code);
}

const OUT_OF_RESOURCES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

/**
 * Whether the system had no resources to check, such as too many open files of this process. This says nothing about
 * the path.
 */
export function isOutOfResources(error: unknown): boolean {
  return OUT_OF_RESOURCES.has((error as NodeJS.ErrnoException).code);
}

/** The content of a text file; null if the path does not exist. Every other error is thrown. */
export async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
}
