/** Tells how long this machine is up, with the time that it slept. No change of the wall clock moves it. */
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { tryOr } from "../values/try-or.ts";

/** In milliseconds. Other systems than Linux count whole seconds; that was written, but not run. */
export function bootMs(): number {
  const seconds = process.platform === "linux" ? tryOr(linuxUptime, uptime()) : uptime();
  return Math.round(seconds * 1000);
}

/** proc(5): the first number counts the seconds since the boot, to a hundredth. */
function linuxUptime(): number {
  const seconds = Number.parseFloat(readFileSync("/proc/uptime", "latin1"));
  if (!Number.isFinite(seconds)) throw new Error("/proc/uptime has no number");
  return seconds;
}
