/** Backs up the repositories of a trashed worktree's submodules, because git deletes them with the registration. */
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { copyProven, isCrossDeviceError } from "../../utils/files/copy-proven.ts";
import { isFolder } from "../../utils/files/is-there.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import type { Uses } from "../core/context-parts.ts";

/**
 * Call it before the registration is removed. Does nothing if no submodule was filled. An older backup is renamed, so
 * that it stays.
 */
export async function backUpModules(
  context: Uses<"paths" | "newId">,
  { id, gitDir }: Attempt,
): Promise<void> {
  const from = join(gitDir ?? "", "modules");
  if (gitDir === null || !(await isFolder(from))) return;
  await moveAside(context, backupFolder(context, id));
  await move(from, backupFolder(context, id));
}

/**
 * Moves the backup into the registration that was made again. If an interrupted restore has done so before, the backup
 * is renamed.
 */
export async function restoreModules(
  context: Uses<"paths" | "newId">,
  id: string,
  gitDir: string,
): Promise<void> {
  const [backup, to] = [backupFolder(context, id), join(gitDir, "modules")];
  if (await isFolder(to)) return moveAside(context, backup);
  if (!(await isFolder(backup))) return;
  await move(backup, to);
  // Between two disks this was a copy, so that the source still exists.
  await removeTree(backup);
}

/** Renames a backup. It may be the only copy, so that it is not deleted. */
async function moveAside(context: Uses<"newId">, backup: string): Promise<void> {
  if (await isFolder(backup)) await rename(backup, `${backup}-${context.newId()}`);
}

function backupFolder(context: Uses<"paths">, attemptId: string): string {
  return join(context.paths.attempt(attemptId), "modules");
}

/** The repository may be on another disk than the data folder. Then this copies, and the source at `from` stays. */
async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    if (!isCrossDeviceError(error)) throw error;
    await copyProven(from, to);
  }
}
