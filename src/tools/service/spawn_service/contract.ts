/** Defines what `spawn_service` takes, answers and refuses; the description for models is derived from it. */
import { z } from "zod";
import { contractOf } from "../../core/definition.ts";
import { filledText } from "../../core/text.ts";
import { wholeNumber } from "../../core/whole-number.ts";
import { commandTokens } from "../../exec/exec_command/validator.ts";
import { serviceName, serviceRecord } from "../service-record.ts";

/** UTF-16 units. */
const MAX_TEXT_LENGTH = 1000;

const spawnServiceInput = z.strictObject({
  name: serviceName.describe("Name by which the service is listed, read and stopped, e.g. web."),
  command: commandTokens.describe(
    "Only the target command tokens to run in the foreground (e.g. bun run dev).",
  ),
  cwd: filledText().optional().describe("Working directory path in workspace (default: the workspace root)."),
  shell_mode: z
    .enum(["default", "direct"])
    .default("default")
    .describe("Use default to apply OS shell wrapper automatically (default: default)."),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe("Ready when something accepts connections on this port of the local machine."),
  ready_text: filledText({ max: MAX_TEXT_LENGTH })
    .optional()
    .describe("Ready when this text was printed, to stdout or stderr."),
  ready_after_ms: wholeNumber(
    "Without port and ready_text: ready when it still runs after so many milliseconds",
    { min: 0, max: 60_000, default: 500 },
  ),
  ready_timeout_ms: wholeNumber("A service that is not ready by then is stopped", {
    min: 1,
    max: 120_000,
    default: 30_000,
  }),
});

const spawnServiceOutput = serviceRecord.extend({
  output: z.string().describe("What it said until it was ready, the last 4,000 characters of both streams."),
  cursor: z.int().describe("Where `get_service_logs` reads on."),
});

export type SpawnServiceInput = z.input<typeof spawnServiceInput>;
export type SpawnServiceOutput = z.output<typeof spawnServiceOutput>;

export const SPAWN_SERVICE_CONTRACT = contractOf({
  name: "spawn_service",
  description:
    "Starts a long-running command such as a development server in the background and waits until it is ready.",
  input: spawnServiceInput,
  output: spawnServiceOutput,
  /** The meaning of each of its own codes. */
  codes: {
    INVALID_ARGUMENT: "An argument is wrong, or the command is longer than the system takes.",
    NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
    NAME_IN_USE: "A living service has this name.",
    PORT_IN_USE: "A program listens on `port` already, or a living service was started for it.",
    TOO_MANY_SERVICES: "As many services live as one context may have.",
    COMMAND_NOT_FOUND:
      '`shell_mode` is `"direct"` and the program is not on PATH, or its interpreter does not exist.',
    SERVICE_ENDED:
      "It ended, or was stopped, before it was ready; the message and `details.output` hold its last words.",
    NOT_READY: "It was not ready in time and was stopped; `details.output` holds its last words.",
    CANCELED: "The caller stopped the call; the service was stopped.",
    INTERNAL: "Anything unexpected, such as a file that is no program.",
  },
});
