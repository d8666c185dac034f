/** Defines what `get_service_logs` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { contractOf } from "../../core/definition.ts";
import { wholeNumber } from "../../core/whole-number.ts";
import { serviceName, serviceRecord } from "../service-record.ts";

const getServiceLogsInput = z.strictObject({
  name: serviceName.describe("Name of the service."),
  stream: z
    .enum(["both", "stdout", "stderr"])
    .default("both")
    .describe("Which output to read (default: both, in the order in which it came)."),
  after: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("Cursor of an earlier answer, to read on from there; without it the end of the log."),
  max_chars: wholeNumber("Output char limit", { min: 100, max: 1_000_000, default: 20_000 }),
});

const getServiceLogsOutput = z.strictObject({
  name: z.string(),
  status: serviceRecord.shape.status,
  exit_code: serviceRecord.shape.exit_code,
  text: z.string(),
  cursor: z.int().describe("Give it as `after` to read on."),
  more: z.boolean().describe("Whether there is more after `cursor` now."),
  dropped_chars: z
    .int()
    .describe(
      "How many characters of what was asked for are gone: the log keeps the newest of both streams.",
    ),
});

export type GetServiceLogsInput = z.input<typeof getServiceLogsInput>;
export type GetServiceLogsOutput = z.output<typeof getServiceLogsOutput>;

export const GET_SERVICE_LOGS_CONTRACT = contractOf({
  name: "get_service_logs",
  description: "Reads what a service printed: its last output, or what came after a cursor.",
  input: getServiceLogsInput,
  output: getServiceLogsOutput,
  /** The meaning of each of its own codes. */
  codes: {
    INVALID_ARGUMENT: "An argument is wrong.",
    NOT_FOUND: "No service has this name; `details.known` names those that there are.",
  },
});
