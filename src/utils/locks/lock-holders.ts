/** Finds the processes that lock a file without opening it: closing it would free our own lock. */
import { readdir, readFile, stat } from "node:fs/promises";

/**
 * `ID: KIND ADVISORY READ|WRITE PID MAJOR:MINOR:INODE START END` (`man 5 proc`). A waiting process has `->` before
 * its kind.
 */
const LINE = /^\d+: (?!->)\S+ +\S+ +\S+ +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /gm;

/**
 * Sorted pids that this process can see; processes in other containers or on other machines are not listed. Empty if
 * there is no such file. Null if the system does not tell (any system but Linux).
 */
export async function lockHolders(path: string): Promise<readonly number[] | null> {
  const table = await readFile("/proc/locks", "utf8").catch(() => null);
  if (table === null) return null;
  const file = await stat(path).catch(() => null);
  if (file === null) return [];
  const named = [...table.matchAll(LINE)].filter(([, , inode]) => inode === String(file.ino));
  const pids = [...new Set(named.map(([, pid]) => Number(pid)))].sort((one, other) => one - other);
  const open = await Promise.all(pids.map((pid) => hasOpen(pid, file)));
  return pids.filter((_, index) => open[index]);
}

/**
 * The device in the table is not always the one of `stat` (btrfs, overlays). Another device may have a file with the
 * same number, so the process's open files decide. True if those cannot be seen.
 */
async function hasOpen(pid: number, file: { readonly dev: number; readonly ino: number }): Promise<boolean> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => null);
  if (fds === null) return true;
  const opened = await Promise.all(fds.map((fd) => stat(`/proc/${pid}/fd/${fd}`).catch(() => null)));
  return opened.some((one) => one?.dev === file.dev && one.ino === file.ino);
}
