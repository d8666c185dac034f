/** Reads which living processes carry our mark, in two readings of the process table, however many runs there are. */
import type { ProcessFact } from "../../domain/ledgers/ledgers.ts";
import { listMarked } from "../../utils/process-identity.ts";

export async function readProcesses(): Promise<readonly ProcessFact[]> {
  const marked = await listMarked("TAZUNA_RUN");
  if (marked.length === 0) return [];
  const workspaces = new Map((await listMarked("TAZUNA_WORKSPACE")).map(({ pid, value }) => [pid, value]));
  return marked.map(({ pid, startTime, value }) => ({
    pid,
    startTime,
    run: value,
    workspace: workspaces.get(pid) ?? null,
  }));
}
