/** Says whether a process still runs, so that a test can wait for its end. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Whether there is such a process. One that has ended does not count, also if its exit code is unread. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const hasEnded = /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
    // Its first thread may end before the others, which hold its files open.
    return !hasEnded || readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    // Gone by now. On a system without /proc it was asked for above.
    return !existsSync("/proc/self/stat");
  }
}
