/** Defines the tool `stop_service`: stops a service and everything that it started (seed 001 §3.3). */
import { failure, success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { servicesOfContext } from "../services.ts";
import { STOP_SERVICE_CONTRACT } from "./contract.ts";

export const stopServiceTool = defineTool({
  ...STOP_SERVICE_CONTRACT,
  title: "Stop a service",
  effect: "executes",
  hints: { destructive: true, idempotent: true, openWorld: false },
  paths: [],
  notes: [
    "The whole tree is stopped: TERM, the grace, then KILL; sessions of their own and orphans too, as with `exec_command`.",
    "Stopping one that has ended already is no error. Its record and its log stay until its name is used again.",
    "A second call while the first one still waits has a grace of its own. A grace of 0 ends the waiting of both.",
  ],
  async run({ name, grace_ms }, { context }) {
    const found = await context.shared.get(servicesOfContext).find(name);
    if (found.isErr()) return found.error;
    const service = found.value;
    const { stopped, left } = await service.stop({ graceMs: grace_ms });
    if (left > 0)
      return failure(
        "STILL_RUNNING",
        `${left === 1 ? `1 process of ${name} still lives` : `${left} processes of ${name} still live`} after KILL.`,
        {
          retriable: true,
        },
      );
    return success({ ...service.record(), stopped_processes: stopped });
  },
});
