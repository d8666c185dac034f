/** Keeps the repositories of a trashed worktree's submodules: git deletes them together with the registration. */
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { copyProven, isAcross } from "../../utils/files/copy-proven.ts";
import { lstatOrNull } from "../../utils/files/is-there.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import type { ServiceContext } from "../core/context.ts";

/**
 * Call it before the registration is removed. Does nothing if no submodule was filled. A copy that is there already is
 * older, and is moved out of the way.
 */
export async function putModulesAside(
  context: Pick<ServiceContext, "paths" | "newId">,
  { id, gitDir }: Attempt,
): Promise<void> {
  const from = join(gitDir ?? "", "modules");
  if (gitDir === null || !(await isFolder(from))) return;
  await park(context, placeOf(context, id));
  await move(from, placeOf(context, id));
}

/**
 * Moves them into the registration that was made again. If an interrupted restore had brought them already, the copy is
 * left over.
 */
export async function bringModulesBack(
  context: Pick<ServiceContext, "paths" | "newId">,
  id: string,
  gitDir: string,
): Promise<void> {
  const [place, to] = [placeOf(context, id), join(gitDir, "modules")];
  if (await isFolder(to)) return park(context, place);
  if (!(await isFolder(place))) return;
  await move(place, to);
  // Between two disks they were copied, so the source is still there.
  await removeTree(place);
}

/** Moves it out of the way, under a name of its own: it may hold the only copy. */
async function park(context: Pick<ServiceContext, "newId">, place: string): Promise<void> {
  if (await isFolder(place)) await rename(place, `${place}-${context.newId()}`);
}

function placeOf(context: Pick<ServiceContext, "paths">, attemptId: string): string {
  return join(context.paths.attempt(attemptId), "modules");
}

/** The repository may be on another disk than the data folder: then the source at `from` stays. */
async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    if (!isAcross(error)) throw error;
    await copyProven(from, to);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstatOrNull(path))?.isDirectory() ?? false;
}
