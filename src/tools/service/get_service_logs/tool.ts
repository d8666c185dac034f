/** Defines the tool `get_service_logs`: the output of a service, piece by piece (seed 001 §9). */
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { servicesOfContext } from "../services.ts";
import { GET_SERVICE_LOGS_CONTRACT } from "./contract.ts";

export const getServiceLogsTool = defineTool({
  ...GET_SERVICE_LOGS_CONTRACT,
  title: "Read a service's output",
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [],
  notes: [
    "The log of a service holds the newest 1,048,576 characters of both streams together, in memory. Once it was full, it never holds fewer than three quarters of that.",
    "A cursor counts the characters of both streams, whichever is read: the same cursor serves `stdout` and `stderr`.",
    "A character is a UTF-16 unit. A cut never splits a surrogate pair, and bytes that are no UTF-8 become U+FFFD.",
    "A service that has ended keeps its log until its name is used again.",
  ],
  run: async ({ name, stream, after = null, max_chars }, { context }) =>
    (await context.shared.get(servicesOfContext).find(name)).match(
      (service) => {
        const { status, exit_code } = service.record();
        const { text, cursor, more, dropped } = service.log.read({ stream, after, maxChars: max_chars });
        return success({ name, status, exit_code, text, cursor, more, dropped_chars: dropped });
      },
      (refusal) => refusal,
    ),
});
