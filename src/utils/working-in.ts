/** Finds processes that work in a folder. */
import { readdir, readFile, readlink } from "node:fs/promises";

/**
 * Pids whose working directory is `folder` or lies below it; `folder` is a real path. Null where this system, or this user, may not
 * see that of any: only Linux tells it by files. Other users' processes cannot be seen, and they cannot enter a folder that is ours alone.
 */
export async function findWorkingIn(folder: string): Promise<readonly number[] | null> {
  const folders = await workingFolders();
  return folders === null ? null : workersIn(folder, folders);
}

/** By pid, the working directory of every process that may be asked; null as above. */
export async function workingFolders(): Promise<ReadonlyMap<number, string> | null> {
  const names = await readdir("/proc").catch(() => null);
  if (names === null) return null;
  const found = new Map<number, string>();
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => null);
    if (cwd !== null) found.set(Number(name), cwd);
  }
  return found;
}

/** Those that work in `folder` or below it. */
export function workersIn(folder: string, folders: ReadonlyMap<number, string>): readonly number[] {
  return [...folders].flatMap(([pid, cwd]) => (cwd === folder || cwd.startsWith(`${folder}/`) ? [pid] : []));
}

/** Whether a program of this name may work in `folder` or below it: true as well where nobody can see who works there. */
export async function mayWorkIn(folder: string, program: string): Promise<boolean> {
  const pids = await findWorkingIn(folder);
  if (pids === null) return true;
  for (const pid of pids) {
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
    if (name.trim() === program) return true;
  }
  return false;
}
