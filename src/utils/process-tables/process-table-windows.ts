/**
 * Reads processes from PowerShell and stops them with `taskkill` (written from their manuals, not run on Windows) (seed
 * 001 §5).
 */
import type { ProcessEntry, ProcessSource, ToolRunner } from "./process-table.ts";

const POWERSHELL = ["powershell.exe", "-NoProfile", "-NonInteractive", "-Command"];
const LIST =
  "Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, $_.CreationDate.ToFileTimeUtc() }";
const BOOT = "(Get-CimInstance Win32_OperatingSystem).LastBootUpTime.ToFileTimeUtc()";

/** A table over the output of PowerShell, which `run` fetches; no process shows its environment there. */
export function createWindowsTable(run: ToolRunner): ProcessSource {
  const list = async () => parseWindowsList(await run([...POWERSHELL, LIST]));
  return {
    list,
    find: async (pid) => (await list()).find((entry) => entry.pid === pid) ?? null,
    carriers: async () => new Map(),
    startedAfter: () => null,
    signal: async (among, signal) => {
      // A process without a window has no TERM and no STOP. The tree dies at the end of the grace time.
      if (signal !== "SIGKILL" || among.length === 0) return;
      await run(["taskkill.exe", "/T", "/F", ...among.flatMap((pid) => ["/PID", String(pid)])]);
    },
    bootId: async () => (await run([...POWERSHELL, BOOT])).trim(),
  };
}

/** Lines such as `4321 1234 133801416000000000`: pid, parent, start in 100 ns since 1601. */
export function parseWindowsList(output: string): ProcessEntry[] {
  return output.split("\n").flatMap((line) => {
    const match = /^\s*(\d+) (\d+) (\d+)\s*$/.exec(line);
    if (!match) return [];
    const [, pid, parent, startTime = ""] = match;
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: null,
      session: null,
      startTime,
      alive: true,
    };
  });
}
