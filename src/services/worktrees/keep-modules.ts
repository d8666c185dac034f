/** Keeps the repositories of an attempt's submodules while its worktree is in the trash: git deletes them with the registration. */
import { cp, lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { ServiceContext } from "../context.ts";

/** Before the registration goes; none where no submodule was filled, or they lie there already. */
export async function putModulesAside(context: ServiceContext, { id, gitDir }: Attempt): Promise<void> {
  if (gitDir !== null) await move(join(gitDir, "modules"), placeOf(context, id));
}

/** Into the registration that was made again. */
export async function bringModulesBack(context: ServiceContext, id: string, gitDir: string): Promise<void> {
  await move(placeOf(context, id), join(gitDir, "modules"));
}

function placeOf(context: ServiceContext, attemptId: string): string {
  return join(context.paths.attempt(attemptId), "modules");
}

/** Nothing where `from` is gone; never over what lies at `to`. The repository may be on another disk than the data folder. */
async function move(from: string, to: string): Promise<void> {
  if (!(await isThere(from)) || (await isThere(to))) return;
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

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
