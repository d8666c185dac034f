/** Reads processes from `ps`, for systems without `/proc` such as macOS (written from its manual, not run there). */
import {
  addCarrier,
  type ProcessEntry,
  type ProcessSource,
  signalEach,
  type ToolRunner,
} from "./process-table.ts";

const LIST = ["ps", "-axo", "pid=,ppid=,pgid=,stat=,lstart="];

/** A table over the output of `ps`, which `run` fetches. */
export function createPsTable(run: ToolRunner): ProcessSource {
  const list = async () => parsePs(await run(LIST));
  return {
    list,
    find: async (pid) => (await list()).find((entry) => entry.pid === pid) ?? null,
    carriers: async (name, among) => {
      // `-E` shows the environment of our own processes after their command.
      const output = await run(["ps", "-axEww", "-o", "pid=,command="]);
      const asked = new Set(among);
      const found = new Map<string, Set<number>>();
      for (const line of output.split("\n")) {
        const [pid, ...words] = line.trim().split(/\s+/);
        if (!asked.has(Number(pid))) continue;
        for (const word of words)
          if (word.startsWith(`${name}=`)) addCarrier(found, word.slice(name.length + 1), Number(pid));
      }
      return found;
    },
    startedAfter: () => null,
    signal: async (among, signal) => signalEach(among, signal),
    bootId: async () => (await run(["sysctl", "-n", "kern.bootsessionuuid"])).trim(),
  };
}

/** Lines such as `  501   1   501 Ss   Mon Jan  5 09:00:00 2026`. */
export function parsePs(output: string): ProcessEntry[] {
  return output.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
    if (!match) return [];
    const [, pid, parent, group, state = "", startTime = ""] = match;
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: null,
      startTime: startTime.replace(/\s+/g, " "),
      alive: !state.startsWith("Z"),
    };
  });
}
