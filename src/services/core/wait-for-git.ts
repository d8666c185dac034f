/** Waits for git processes that a killed engine has left running. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findMarked, type ProcessMarker } from "../../utils/programs/process-identity.ts";

/** The folder in which Linux shows the command lines of its processes; other systems have no such folder. */
const PROCESSES = "/proc";
const WAIT_MS = 15_000;
const POLL_MS = 50;

/**
 * Settles when none of them is left, after 15 s at the latest. Git is asked afterwards what they did. Helpers that git
 * leaves running (credential caches, ssh masters) are not waited for.
 */
export async function waitForGit(root: string, processes = PROCESSES): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const pids = await findMarked(gitMarker(root));
    const ours = await Promise.all(pids.map((pid) => commandNames(pid, "--git-dir=", processes)));
    if (!ours.includes(true)) return;
    await delay(POLL_MS);
  }
}

/** Marks every git process of one data folder's engines. */
export function gitMarker(root: string): ProcessMarker {
  return { name: "TAZUNA_GIT", value: root };
}

/** Whether a git process of this data folder's engines still works in that git directory. */
export async function gitWorks(root: string, gitDir: string, processes = PROCESSES): Promise<boolean> {
  const pids = await findMarked(gitMarker(root));
  const namesOfProcesses = await Promise.all(
    pids.map((pid) => commandNames(pid, `--git-dir=${gitDir}`, processes)),
  );
  return namesOfProcesses.includes(true);
}

/**
 * Every git call of ours names its git directory. If the system does not show it, every process with our mark counts.
 */
async function commandNames(pid: number, argument: string, processes: string): Promise<boolean> {
  const command = await readFile(join(processes, String(pid), "cmdline"), "utf8").catch(() => null);
  if (command !== null) return command.includes(argument);
  // If there is such a folder, the process has ended.
  return !existsSync(join(processes, "self", "cmdline"));
}
