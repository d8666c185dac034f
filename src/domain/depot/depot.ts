/** Describes the depot, the place that keeps copies of attempts beside their workers, and what it holds of an attempt. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

export const depotSchema = z.object({
  /** There is one row. */
  id: z.string(),
  /** `served`: a control plane answers for it, by the keys of workers. `elsewhere`: any git server, or a shared folder. */
  kind: z.enum(["served", "elsewhere"]),
  /** The address below which each repository has a bare one, without a secret and without a slash at its end. */
  url: z.string(),
});
export type Depot = Entity<typeof depotSchema>;

export const protectionSchema = z.object({
  attemptId: z.string(),
  /** The newest copy in the depot; null if there is none yet. The next five are null with it. */
  ref: z.string().nullable(),
  sha: z.string().nullable(),
  tree: z.string().nullable(),
  /** The commit of the attempt's branch on which the copy was taken; null before the first commit. */
  base: z.string().nullable(),
  /** The run that worked then; null if none did. */
  runId: z.string().nullable(),
  /** By the database's clock, as the next one. */
  protectedAt: time.nullable(),
  /** Since then later edits could not be copied; null if all went well. */
  unprotectedSince: time.nullable(),
  /** Why not, for people. */
  trouble: z.string().nullable(),
});
export type Protection = Entity<typeof protectionSchema>;
