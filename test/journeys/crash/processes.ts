/** Finds the processes of a data folder or of one of its runs, by what the kernel knows of them. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Living processes whose environment or command line names the data folder, or that carry one of its runs' marks. */
export function processesOf(home: string, runs: readonly string[]): FoundProcess[] {
  return pids().flatMap((pid) => {
    if (pid === process.pid) return [];
    const environ = read(`/proc/${pid}/environ`);
    const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
    const marked = runs.some((run) => environ.includes(`TAZUNA_RUN=${run}`));
    const ours = marked || environ.includes(home) || command.includes(home) || cwdOf(pid).startsWith(home);
    return ours && !isZombie(pid) ? [{ pid, command }] : [];
  });
}

/** The processes of one run, found by the mark in their environment. */
export function processesOfRun(run: string): FoundProcess[] {
  return pids().flatMap((pid) =>
    read(`/proc/${pid}/environ`).includes(`TAZUNA_RUN=${run}`) && !isZombie(pid)
      ? [{ pid, command: read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim() }]
      : [],
  );
}

function pids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function cwdOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

/** Whether there is a process of that number that is more than its exit code. */
export function isAlive(pid: number): boolean {
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat === "" || stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}
