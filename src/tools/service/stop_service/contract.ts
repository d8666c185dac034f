/** Defines what `stop_service` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { contractOf } from "../../core/definition.ts";
import { wholeNumber } from "../../core/whole-number.ts";
import { serviceName, serviceRecord } from "../service-record.ts";

const stopServiceInput = z.strictObject({
  name: serviceName.describe("Name of the service."),
  grace_ms: wholeNumber("Milliseconds between asking politely and force", {
    min: 0,
    max: 60_000,
    default: 2000,
  }),
});

const stopServiceOutput = serviceRecord.extend({
  stopped_processes: z.int().describe("0 if it had ended already."),
});

export type StopServiceInput = z.input<typeof stopServiceInput>;
export type StopServiceOutput = z.output<typeof stopServiceOutput>;

export const STOP_SERVICE_CONTRACT = contractOf({
  name: "stop_service",
  description: "Stops a service and every process that it started.",
  input: stopServiceInput,
  output: stopServiceOutput,
  /** The meaning of each of its own codes. */
  codes: {
    INVALID_ARGUMENT: "An argument is wrong.",
    NOT_FOUND: "No service has this name; `details.known` names those that there are.",
    STILL_RUNNING:
      "Some of its processes still live after KILL. They belong to another user, or are stuck in the system.",
  },
});
