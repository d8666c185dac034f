/** Moves the files of an entry of the trash into a worktree, also across file systems. */
import { readdir, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { copyProven, isCrossDeviceError } from "../../utils/files/copy-proven.ts";
import { isThere, lstatOrNull } from "../../utils/files/is-there.ts";
import { moveEntries } from "../../utils/files/move-entries.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import type { Uses } from "../core/context-parts.ts";

interface Places {
  /** The entry of the trash. */
  readonly from: string;
  /** The worktree. It holds only git's own `.git` file, or what an earlier try brought. */
  readonly to: string;
}

/** Next to the worktree: the proved copy, whose files are moved in. */
const readyOf = ({ to }: Places) => `${to}.ready`;
/** In the trash: the entry after its copy is proved. Only the copy counts from then on. */
const copiedOf = ({ from }: Places) => `${from}.restored`;

/** Moves everything except `.git`. Null if all is there; else the path that is in the way. May be repeated. */
export async function bringFiles(context: Uses<"failpoint">, places: Places): Promise<string | null> {
  const { from, to } = places;
  const [ready, copied] = [readyOf(places), copiedOf(places)];
  const begun = (await isThere(ready)) || (await isThere(copied));
  if (!begun) {
    try {
      return await moveEntries(from, to, { except: [GIT] });
    } catch (error) {
      if (!isCrossDeviceError(error)) throw error;
    }
    await copyProven(from, ready, { except: [GIT] });
  }
  context.failpoint("restore:copied");
  if (!(await isThere(copied))) await rename(from, copied);
  context.failpoint("restore:counts");
  const taken = await moveEntries(ready, to, { except: [] });
  if (taken !== null) return taken;
  await rmdir(ready).catch(unlessGone);
  return null;
}

const GIT = ".git";

/**
 * Git's own `.git` file is made again. Anything else of that name is a person's work, and is all that stays of the
 * entry.
 */
export async function clearEntry(places: Places): Promise<readonly string[]> {
  const { from } = places;
  const copied = copiedOf(places);
  if (await isThere(copied)) {
    for (const name of await readdir(copied, { encoding: "buffer" }))
      if (name.toString() !== GIT) await removeTree(Buffer.concat([Buffer.from(`${copied}/`), name]));
    await rename(copied, from);
  }
  const pointer = join(from, GIT);
  const found = await lstatOrNull(pointer);
  if (found !== null && !found.isFile()) return [GIT];
  if (found !== null) await unlink(pointer);
  await rmdir(from).catch(unlessGone);
  return [];
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
