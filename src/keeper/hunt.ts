/** Meets processes that fork and are gone before a reading of all processes comes to them: each is the newest one for a moment. */
import { signalEach } from "../utils/process-table.ts";
import { type LinuxLook, linuxLook } from "../utils/process-table-linux.ts";

/** How long nothing else is done, not even reading what the agent prints. */
const BURST_MS = 10;
/** So far back a newest process is followed to the one that it descends from: the ones between are about to end. */
const GENERATIONS = 3;

/** Kills, for a moment, whichever newest process descends from this one, with those between. */
export function hunt(look: LinuxLook = linuxLook()): void {
  const until = performance.now() + BURST_MS;
  do signalEach(newestOfOurs(look), "SIGKILL");
  while (performance.now() < until);
}

/** Empty where the newest one is a stranger's, or gone. */
function newestOfOurs(look: LinuxLook): readonly number[] {
  const line: number[] = [];
  let pid = look.newest();
  for (let generation = 0; generation < GENERATIONS; generation++) {
    const entry = pid === null ? null : look.entry(pid);
    if (entry === null) return [];
    if (entry.alive) line.push(entry.pid);
    if (entry.parent === process.pid) return line;
    pid = entry.parent;
  }
  return [];
}
