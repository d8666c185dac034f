/** Checks what `spawn_service` is asked for, and holds its limits. */
import { z } from "zod";
import { commandTokens } from "../../exec/exec_command/validator.ts";
import { serviceName, serviceRecord } from "../service-record.ts";

/** Milliseconds. */
const ALIVE = { least: 0, most: 60_000, usual: 500 } as const;
/** Milliseconds. */
const TIMEOUT = { least: 1, most: 120_000, usual: 30_000 } as const;
/** UTF-16 units. */
const LONGEST_TEXT = 1000;

export const spawnServiceInput = z.strictObject({
  name: serviceName,
  command: commandTokens,
  cwd: z.string().min(1, "must not be empty").optional(),
  shell_mode: z.enum(["default", "direct"]).default("default"),
  port: z.int().min(1).max(65_535).optional(),
  ready_text: z
    .string()
    .min(1, "must not be empty")
    .max(LONGEST_TEXT, `must not be longer than ${LONGEST_TEXT} characters`)
    .optional(),
  ready_after_ms: z.int().min(ALIVE.least).max(ALIVE.most).default(ALIVE.usual),
  ready_timeout_ms: z.int().min(TIMEOUT.least).max(TIMEOUT.most).default(TIMEOUT.usual),
});

export const spawnServiceOutput = serviceRecord.extend({
  output: z.string().describe("What it said until it was ready, the last 4,000 characters of both streams."),
  cursor: z.int().describe("Where `get_service_logs` reads on."),
});
