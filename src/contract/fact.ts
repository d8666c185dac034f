/** Describes a fact: one numbered change, as the live stream carries it. */
import { z } from "zod";

export const factDocument = z.object({
  /** Strictly increasing; holes are allowed. */
  seq: z.number(),
  at: z.string(),
  /** Such as `run.state`, `run.action`, `run.usage`, `attempt.changed`, `task.created`, `operation.done`. */
  kind: z.string(),
  task: z.string().nullable(),
  attempt: z.string().nullable(),
  run: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});

export type FactDocument = z.infer<typeof factDocument>;
