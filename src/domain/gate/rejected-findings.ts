/** Reads back what the gate found against a commit, from what the failed run has stored. */
import { z } from "zod";
import type { Failure } from "../run/failure.ts";

const rejectedSchema = z.object({
  rule: z.string(),
  level: z.enum(["reject", "report"]).default("reject"),
  path: z.string(),
  line: z.number().exactOptional(),
  message: z.string(),
  remedy: z.string().default(""),
  blob: z.string().exactOptional(),
  final: z.literal(true).exactOptional(),
});
const detailsSchema = z.object({ findings: z.array(rejectedSchema).default([]) });

type RejectedFinding = z.output<typeof rejectedSchema>;

/** None if the run did not fail at the gate. */
export function rejectedFindings(failure: Failure | null): readonly RejectedFinding[] {
  const details = failure?.code === "gate_rejected" ? failure.details : {};
  return detailsSchema.safeParse(details).data?.findings ?? [];
}
