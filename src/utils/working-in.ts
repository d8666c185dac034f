/** Finds processes that work in a folder. */
import { readdir, readlink } from "node:fs/promises";

/**
 * Pids whose working directory is `folder` or lies below it; `folder` is a real path. Null where this system, or this user, may not
 * see that of any: only Linux tells it by files. Other users' processes cannot be seen, and they cannot enter a folder that is ours alone.
 */
export async function findWorkingIn(folder: string): Promise<readonly number[] | null> {
  const names = await readdir("/proc").catch(() => null);
  if (names === null) return null;
  const found: number[] = [];
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => null);
    if (cwd === folder || cwd?.startsWith(`${folder}/`)) found.push(Number(name));
  }
  return found;
}
