/** Tells which processes hold a lock on a file, without opening it: closing it would free a lock of this process. */
import { readdir, readFile, stat } from "node:fs/promises";

/** `ID: KIND ADVISORY READ|WRITE PID MAJOR:MINOR:INODE START END` (`man 5 proc`); one that only waits has `->` before its kind. */
const LINE = /^\d+: (?!->)\S+ +\S+ +\S+ +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /gm;

/**
 * Those that this process can see, sorted: one in another container, or on another machine, is none of them. None where
 * there is no such file; null where the system does not say (anything but Linux).
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
 * The device in the table is not always the one that `stat` tells (btrfs, overlays): a file of another device with the same
 * number is told by what the process has open. Yes where that cannot be seen.
 */
async function hasOpen(pid: number, file: { readonly dev: number; readonly ino: number }): Promise<boolean> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => null);
  if (fds === null) return true;
  const opened = await Promise.all(fds.map((fd) => stat(`/proc/${pid}/fd/${fd}`).catch(() => null)));
  return opened.some((one) => one?.dev === file.dev && one.ino === file.ino);
}
