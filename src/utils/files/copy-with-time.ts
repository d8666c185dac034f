/** Copies a file with its modification time, in whole seconds. */

import { constants } from "node:fs";
import { copyFile, utimes } from "node:fs/promises";
import { lstatOrNull } from "./is-there.ts";

/**
 * False if there is nothing to copy. A copy of a git index needs the time of the original. Git takes a file as
 * unchanged if the index holds its size and time, in whole seconds. It reads the content only if the file is as new
 * as the index itself (git's `racy-git` document).
 */
export async function copyWithTime(from: string, to: string): Promise<boolean> {
  // Read before the copy. If the original is replaced meanwhile, git only rechecks more files than it must.
  const original = await lstatOrNull(from);
  if (original === null) return false;
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const second = Math.floor(original.mtimeMs / 1000);
  await utimes(to, second, second);
  return true;
}
