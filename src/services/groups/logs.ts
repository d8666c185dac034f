/** Joins what reads, lists and deletes the logs of runs. */
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { runLog } from "../logs/run-log.ts";
import { listLogs, removeLogs } from "../storage/run-logs.ts";
import type { ServiceMemory } from "./memory.ts";

export function logServices(context: ServiceContext, { scanner, streams }: ServiceMemory) {
  return {
    log: (runId, query) => runLog(context, streams, { runId, ...query }),
    storedLogs: (query) => listLogs(context, scanner, query),
    removeLogs: (runs) => removeLogs(context, { scanner, streams }, runs),
  } satisfies Partial<Services>;
}
