/** Checks what `get_service_logs` is asked for, and holds its limits. */
import { z } from "zod";
import { serviceName, serviceRecord } from "../service-record.ts";

/** UTF-16 units. */
const CHARS = { least: 100, most: 1_000_000, usual: 20_000 } as const;

export const getServiceLogsInput = z.strictObject({
  name: serviceName,
  stream: z.enum(["both", "stdout", "stderr"]).default("both"),
  after: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  max_chars: z.int().min(CHARS.least).max(CHARS.most).default(CHARS.usual),
});

export const getServiceLogsOutput = z.strictObject({
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
