/** Makes this process the parent of every orphan among its descendants, so that no session and no environment of their own takes them out of its tree. */
import { dlopen } from "bun:ffi";
import type { Orphans } from "../utils/exec.ts";
import { hunt } from "./hunt.ts";

// <linux/prctl.h>, <linux/wait.h>
const PR_SET_CHILD_SUBREAPER = 36;
const P_ALL = 0;
const P_PID = 1;
const WNOHANG = 1;
const WEXITED = 4;
const WNOWAIT = 0x1000000;

/** `siginfo_t` has 128 bytes on every Linux; with pointers of 64 bits, `si_pid` stands behind four numbers. */
const SIGINFO_NUMBERS = 32;
const SI_PID = 4;

/** From now on; null where the system has no such thing (or does not let us), where orphans become children of process 1. */
export function adoptOrphans(): Orphans | null {
  if (process.platform !== "linux") return null;
  try {
    const { prctl, waitid } = libc();
    const adopts = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === 0;
    return adopts ? { reap: (own) => reap(waitid, own), hunt } : null;
  } catch {
    // No library of this name, or a system that lets nobody make code at run time.
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

/** Looks before it takes: the exit code of a child of our own is for Bun, which waits for it. */
function reap(waitid: WaitId, own: number): boolean {
  const info = new Int32Array(SIGINFO_NUMBERS);
  for (;;) {
    info[SI_PID] = 0;
    const none = waitid(P_ALL, 0, info, WEXITED | WNOHANG | WNOWAIT) !== 0;
    if (none) return false;
    const ended = info[SI_PID];
    if (ended === 0 || ended === own) return true;
    waitid(P_PID, ended, info, WEXITED | WNOHANG);
  }
}
