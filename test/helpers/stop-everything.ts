/** Ends what a test left behind of a data folder, so that nothing outlives the test. */
import { readdir, readFile } from "node:fs/promises";
import { isRunning } from "./is-running.ts";
import { waitFor } from "./wait-for.ts";

/** Keepers and agents of this data folder that a test left behind, and what they start meanwhile. */
export async function stopEverythingOf(home: string): Promise<void> {
  await waitFor("nothing of the data folder to be left", async () => {
    const left = await processesOf(home);
    for (const pid of left) kill(pid);
    return left.length === 0;
  });
}

/** Found by their command line or environment. */
async function processesOf(home: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc").catch(() => [] as string[])) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environ = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
    const cmdline = await readFile(`/proc/${name}/cmdline`, "latin1").catch(() => "");
    if (!environ.includes(`TAZUNA_HOME=${home}\0`) && !cmdline.includes(home)) continue;
    if (isRunning(pid)) found.push(pid);
  }
  return found;
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}
