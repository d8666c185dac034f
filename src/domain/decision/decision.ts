/** Describes a decision: which attempt of a task was chosen, why, and what was known of every attempt then. */
import { z } from "zod";
import { usageSchema } from "../agent/counters.ts";
import { ATTEMPT_STATES } from "../attempt/attempt-state.ts";
import { type Entity, time } from "../entity.ts";
import { checkSchema } from "../run/check.ts";

/** How many open comments there are of each severity. */
const commentCountsSchema = z.object({
  critical: z.number().int(),
  high: z.number().int(),
  medium: z.number().int(),
  low: z.number().int(),
});

/** What is known of one attempt; null stands for what is not known. */
export const evidenceSchema = z.object({
  id: z.string(),
  /** Null if names are hidden. */
  agent: z.string().nullable(),
  model: z.string().nullable(),
  state: z.enum(ATTEMPT_STATES),
  commit: z.string().nullable(),
  /** Of the last run that came to its checks. */
  checks: z.array(checkSchema.pick({ name: true, outcome: true, required: true })).nullable(),
  files: z.number().int().nullable(),
  additions: z.number().int().nullable(),
  deletions: z.number().int().nullable(),
  usage: usageSchema.nullable(),
  /** Seconds from the start of each run to its end, all runs together. */
  durationS: z.number().nullable(),
  /** What reviewers said; null if no review has ended. */
  comments: commentCountsSchema.nullable(),
});
export type Evidence = Entity<typeof evidenceSchema>;

export const decisionSchema = z.object({
  id: z.string(),
  taskId: z.string(),
  /** The chosen one. */
  attemptId: z.string(),
  /** The ids of the other attempts. */
  alternatives: z.array(z.string()),
  reason: z.string(),
  /** What would make us take it back. */
  tripwire: z.string().nullable(),
  /** `Name <address>` of git's settings; null if git has none. */
  by: z.string().nullable(),
  /** The words of the issue. */
  issue: z.string(),
  /** Of every attempt, the chosen one first. */
  evidence: z.array(evidenceSchema),
  /** The attempts that were cancelled with it. */
  trashed: z.array(z.string()),
  at: time,
  /** When another decision took its place, or a person took it back; null if it holds. */
  replacedAt: time.nullable(),
  /** When a person took it back; null if nobody did. */
  takenBackAt: time.nullable(),
});
export type Decision = Entity<typeof decisionSchema>;
