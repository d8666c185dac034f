/** Finds processes that work in a folder. */
import { readdir, readFile, readlink } from "node:fs/promises";

/**
 * Pids whose working directory is `folder` or lies below it; `folder` is a real path. Null if the system has no
 * `/proc`: only Linux tells working directories by files. Other users' processes cannot be seen, and they
 * cannot enter a folder that is ours alone.
 */
export async function findWorkingIn(folder: string): Promise<readonly number[] | null> {
  const folders = await workingFolders();
  return folders === null ? null : workersIn(folder, folders);
}

/** The working directory of every readable process, by pid; null as above. */
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

/** The processes that work in `folder` or below it. */
export function workersIn(folder: string, folders: ReadonlyMap<number, string>): readonly number[] {
  return [...folders].flatMap(([pid, cwd]) => (cwd === folder || cwd.startsWith(`${folder}/`) ? [pid] : []));
}

/** Whether a program of this name may work in `folder` or below it. Also true if working directories cannot be seen. */
export async function mayWorkIn(folder: string, program: string): Promise<boolean> {
  const pids = await findWorkingIn(folder);
  if (pids === null) return true;
  for (const pid of pids) {
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
    if (name.trim() === program) return true;
  }
  return false;
}
