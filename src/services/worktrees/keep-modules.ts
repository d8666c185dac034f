/** Keeps the repositories of an attempt's submodules while its worktree is in the trash: git deletes them with the registration. */
import { cp, lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { removeTree } from "../../utils/remove-tree.ts";
import type { ServiceContext } from "../context.ts";

/** Before the registration goes; none where no submodule was filled. What lies there from an earlier time is older. */
export async function putModulesAside(context: ServiceContext, { id, gitDir }: Attempt): Promise<void> {
  const from = join(gitDir ?? "", "modules");
  if (gitDir === null || !(await isFolder(from))) return;
  await park(context, placeOf(context, id));
  await move(from, placeOf(context, id));
}

/** Into the registration that was made again; where a restore that was cut off had brought them, a copy is left over. */
export async function bringModulesBack(context: ServiceContext, id: string, gitDir: string): Promise<void> {
  const [place, to] = [placeOf(context, id), join(gitDir, "modules")];
  if (await isFolder(to)) return park(context, place);
  if (!(await isFolder(place))) return;
  await move(place, to);
  // From one disk to another they were copied.
  await removeTree(place);
}

/** Out of the way, under a name of its own: it may hold what is nowhere else. */
async function park(context: ServiceContext, place: string): Promise<void> {
  if (await isFolder(place)) await rename(place, `${place}-${context.newId()}`);
}

function placeOf(context: ServiceContext, attemptId: string): string {
  return join(context.paths.attempt(attemptId), "modules");
}

/** The repository may be on another disk than the data folder: then what is at `from` stays. */
async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    const half = `${to}.half`;
    await rm(half, { recursive: true, force: true });
    await cp(from, half, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await rename(half, to);
  }
}

function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
