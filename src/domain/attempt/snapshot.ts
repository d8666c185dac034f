/** Describes a snapshot of a worktree: a commit under a private ref, made before an action that could lose work. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

export const snapshotSchema = z.object({
  attemptId: z.string(),
  /** Counts from 1 within the attempt; the last part of the ref. */
  number: z.number().int(),
  /** The run it was made for, if there was one. */
  runId: z.string().nullable(),
  /** `refs/tazuna/snapshots/ATTEMPT/N`. */
  ref: z.string(),
  commit: z.string(),
  /** Stable, such as `cancel`, `agent_commit_undone`, `trash`. */
  reason: z.string(),
  /** Paths in the worktree that the commit does not hold (nested repositories, unreadable files). */
  notContained: z.array(z.string()),
  createdAt: time,
  /** When the ref was deleted; null while it exists. */
  droppedAt: time.nullable(),
});
export type Snapshot = Entity<typeof snapshotSchema>;
