/** Checks what `stop_service` is asked for, and holds its limits. */
import { z } from "zod";
import { serviceName, serviceRecord } from "../service-record.ts";

/** Milliseconds. */
const GRACE = { least: 0, most: 60_000, usual: 2000 } as const;

export const stopServiceInput = z.strictObject({
  name: serviceName,
  grace_ms: z.int().min(GRACE.least).max(GRACE.most).default(GRACE.usual),
});

export const stopServiceOutput = serviceRecord.extend({
  stopped_processes: z.int().describe("0 where it had ended already."),
});
