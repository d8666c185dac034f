/** Describes the result of one declared check of a run, with the tree that it checked. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";
import { leftFileSchema } from "../publish/left-files.ts";

export const checkSchema = z.object({
  runId: z.string(),
  /** As configured; unique within the run. */
  name: z.string(),
  /** The staged tree that it checked. */
  tree: z.string(),
  command: z.string(),
  /** If a required check did not pass, the commit is not pushed. */
  required: z.boolean(),
  /** `stopped` by a person: the run ended there. */
  outcome: z.enum(["passed", "failed", "timed_out", "stopped"]),
  /** Null if it timed out, was stopped, or was ended by a signal. */
  exitCode: z.number().int().nullable(),
  durationMs: z.number().int(),
  /** The end of its output. */
  output: z.string(),
  /** Files that it left in the worktree. They are reported, and are not staged as long as they are unchanged. */
  leftBehind: z.array(leftFileSchema),
  at: time,
});
export type CheckResult = Entity<typeof checkSchema>;
