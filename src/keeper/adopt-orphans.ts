/** Makes this process the parent of every orphan among its descendants, so that none can hide from it. */
import { dlopen } from "bun:ffi";
import type { Orphans } from "../utils/exec.ts";
import { signalEach } from "../utils/process-tables/process-table.ts";
import { type LinuxProcReader, linuxProcReader } from "../utils/process-tables/process-table-linux.ts";

// <linux/prctl.h>, <linux/wait.h>
const PR_SET_CHILD_SUBREAPER = 36;
const P_ALL = 0;
const P_PID = 1;
const WNOHANG = 1;
const WEXITED = 4;
const WNOWAIT = 0x1000000;

/** `siginfo_t` has 128 bytes on every Linux; with 64-bit pointers, `si_pid` follows four numbers. */
const SIGINFO_NUMBERS = 32;
const SI_PID = 4;

/** Works from now on. Null if the system does not support or allow it: orphans then become children of process 1. */
export function adoptOrphans(): Orphans | null {
  if (process.platform !== "linux") return null;
  try {
    const { prctl, waitid } = libc();
    const adopts = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === 0;
    return adopts ? { reap: (agentPid) => reap(waitid, agentPid), hunt } : null;
  } catch {
    // No library of this name, or the system forbids making code at run time.
    return null;
  }
}

type WaitId = ReturnType<typeof libc>["waitid"];

function libc() {
  const number = "i32";
  const word = "u64";
  return dlopen("libc.so.6", {
    prctl: { args: [number, word, word, word, word], returns: number },
    waitid: { args: [number, number, "ptr", number], returns: number },
  }).symbols;
}

/** Checks before it collects: Bun waits for the exit code of our own child. */
function reap(waitid: WaitId, agentPid: number): boolean {
  const info = new Int32Array(SIGINFO_NUMBERS);
  for (;;) {
    info[SI_PID] = 0;
    const none = waitid(P_ALL, 0, info, WEXITED | WNOHANG | WNOWAIT) !== 0;
    if (none) return false;
    const ended = info[SI_PID];
    if (ended === 0 || ended === agentPid) return true;
    waitid(P_PID, ended, info, WEXITED | WNOHANG);
  }
}

/** How long nothing else is done, not even reading the agent's output. */
const BURST_MS = 10;
/** The newest process is followed back so many generations to its ancestor. The processes between are about to end. */
const GENERATIONS = 3;

/**
 * Kills for a moment: the newest process, if it descends from this one, and those between. It meets processes that
 * fork and end before a reading of all processes reaches them. Each of them is the newest one for a moment.
 */
function hunt(proc: LinuxProcReader = linuxProcReader()): void {
  const until = performance.now() + BURST_MS;
  do signalEach(newestOfOurs(proc), "SIGKILL");
  while (performance.now() < until);
}

/** Empty if the newest process is not a descendant, or is gone. */
function newestOfOurs(proc: LinuxProcReader): readonly number[] {
  const line: number[] = [];
  let pid = proc.newest();
  for (let generation = 0; generation < GENERATIONS; generation++) {
    const entry = pid === null ? null : proc.entry(pid);
    if (entry === null) return [];
    if (entry.alive) line.push(entry.pid);
    if (entry.parent === process.pid) return line;
    pid = entry.parent;
  }
  return [];
}
