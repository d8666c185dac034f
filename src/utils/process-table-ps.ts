/** Reads processes from `ps`, for macOS and other systems without `/proc`. Written from its manual, not run on macOS. */
import { type ProcessEntry, type ProcessTable, signalEach, type ToolRunner } from "./process-table.ts";

const LIST = ["ps", "-axo", "pid=,ppid=,pgid=,stat=,lstart="];

/** A table over the output of `ps`, which `run` fetches. */
export function createPsTable(run: ToolRunner): ProcessTable {
  const list = async () => parsePs(await run(LIST));
  return {
    list,
    find: async (pid) => (await list()).find((entry) => entry.pid === pid) ?? null,
    carrying: async (marker, among) => {
      // `-E` shows the environment of our own processes behind their command.
      const output = await run(["ps", "-axEww", "-o", "pid=,command="]);
      const mark = ` ${marker.name}=${marker.value}`;
      const found = output.split("\n").filter((line) => `${line} `.includes(`${mark} `));
      const carriers = new Set(found.map((line) => Number.parseInt(line, 10)));
      return new Set(among.filter((pid) => carriers.has(pid)));
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
