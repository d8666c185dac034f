// Lets one process after another do what two must not do at once: a lock file names the process that does it.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

const LOOK_MS = 200;

/** A process writes its name into its lock in milliseconds; one that has none for so long died before that. */
const NAMELESS_MS = 5000;

/** Nothing is done if it is done already, or was done by another one meanwhile. */
export async function runAlone(lock, { what, isDone, act }) {
  if (isDone()) return;
  for (let isTold = false; !take(lock); isTold = true) {
    if (!isTold) console.error(`tazuna: waiting for another start, which is ${what} …`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (isDone()) return;
  }
  try {
    if (!isDone()) await act();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether the lock is this process's now. */
function take(lock) {
  const own = `${process.pid} ${startOf(process.pid)}`;
  if (create(lock, own)) return true;
  const holder = read(lock);
  if (isHeld(lock, holder)) return false;
  // Of several that see a dead lock one alone may remove it: none removes the new lock of another one.
  const right = `${lock}.removing`;
  if (!create(right, own)) {
    if (!isHeld(right, read(right))) rmSync(right, { force: true });
    return false;
  }
  if (read(lock) === holder) rmSync(lock, { force: true });
  rmSync(right, { force: true });
  return create(lock, own);
}

function create(file, content) {
  try {
    writeFileSync(file, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Null if there is none any more. */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    return error.code === "ENOENT" ? null : "";
  }
}

/** A lock that is gone meanwhile counts as held: whoever waits looks again. */
function isHeld(lock, holder) {
  if (holder === null) return true;
  const [, pid, start] = /^(\d+)(?: (.*))?$/.exec(holder) ?? [];
  if (pid === undefined)
    return Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) < NAMELESS_MS;
  const now = startOf(Number(pid));
  // A lock of an earlier version has no start.
  return now !== null && (start === undefined || start === now);
}

/** When that process began, so that a later one with its number is told apart; null if there is none. */
function startOf(pid) {
  if (process.platform === "linux") {
    const stat = read(`/proc/${pid}/stat`) ?? "";
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const boot = (read("/proc/sys/kernel/random/boot_id") ?? "").trim();
    return stat === "" || state === "Z" ? null : `${fields[18]} ${boot}`;
  }
  if (process.platform === "win32") return isThere(pid) ? "" : null;
  const { status, stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

function isThere(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user lives too.
    return error.code === "EPERM";
  }
}
