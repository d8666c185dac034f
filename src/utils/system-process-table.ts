/** Chooses how processes are read and stopped on this operating system. */
import type { ProcessSource, ProcessTable, ToolRunner } from "./process-table.ts";
import { createLinuxTable } from "./process-table-linux.ts";
import { createPsTable } from "./process-table-ps.ts";
import { createWindowsTable } from "./process-table-windows.ts";
import { createSharedTable } from "./shared-process-table.ts";

/** The table of a platform. Linux is tested on real processes; macOS and Windows were written, not run. */
export function createSystemProcessTable(platform: string, run: ToolRunner): ProcessTable {
  return createSharedTable(sourceOf(platform, run));
}

function sourceOf(platform: string, run: ToolRunner): ProcessSource {
  if (platform === "linux") return createLinuxTable();
  return platform === "win32" ? createWindowsTable(run) : createPsTable(run);
}
