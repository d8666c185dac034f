/**
 * Describes an attempt: one agent's line of work on a task, with one branch, one worktree and one session (seed 003
 * Related files).
 */
import { z } from "zod";
import { usageTotalsSchema } from "../agent/counters.ts";
import { type Entity, time } from "../entity.ts";
import { patchStatSchema } from "../run/run.ts";
import { originSchema } from "./origin.ts";

/** The base as a person knows it, and how the person's checkout differed from it. */
const startedFromSchema = z.object({
  /** Such as `origin/main`, `v1.2` or a commit's id. */
  name: z.string(),
  /** The person's uncommitted changes came along (`--from-worktree`). */
  fromWorktree: z.boolean(),
  /** Commits of the checkout that the base lacks; null if they could not be compared. */
  ahead: z.number().nullable(),
  /** Commits of the base that the checkout lacks; null if they could not be compared. */
  behind: z.number().nullable(),
});
export type StartedFrom = Entity<typeof startedFromSchema>;

/** The two states that its diff compares, each a commit or a tree, and the numbers of that diff. */
const attemptPatchSchema = patchStatSchema.extend({
  from: z.string(),
  to: z.string(),
  /** The tip of the branch when they were counted; null if that was not known. */
  tip: z.string().nullable().default(null),
});
export type AttemptPatch = Entity<typeof attemptPatchSchema>;

/** The error of a failed clean-up. */
export const cleanUpTroubleSchema = z.object({
  /** What could not be done and why, without a final full stop; it names what was left and its place. */
  why: z.string(),
  triedAt: time,
  /** When the same engine tries again; a later engine tries at its start. */
  againAt: time,
});
export type CleanUpTrouble = Entity<typeof cleanUpTroubleSchema>;

/** How its work came into its target. A commit that is added to it later is not merged. */
const mergedSchema = z.object({
  at: time,
  /** The commit of the target that brought it in: a merge, a squash, or the last commit of the attempt. */
  commit: z.string(),
  /** The commit of the attempt that was merged. */
  tip: z.string(),
  /** The short name of the branch, such as `main`. */
  target: z.string(),
  /** Where the target was before; null if that is not known. */
  before: z.string().nullable(),
  by: z.enum(["tazuna", "forge", "person"]),
});
export type Merged = Entity<typeof mergedSchema>;

/** The agent and executor of an attempt that no agent has worked in yet. */
export const NO_AGENT = "none";

export const attemptSchema = z.object({
  id: z.string(),
  taskId: z.string(),
  /** Counts from 1 within the task. */
  number: z.number().int(),
  /** The agent id that was asked for; `NO_AGENT` until one works in it. */
  agent: z.string(),
  executor: z.string(),
  model: z.string().nullable(),
  branch: z.string(),
  /** True if `--branch` named an existing branch. */
  branchExisted: z.boolean(),
  /** Absolute path; fixed, unless another data folder makes the worktree anew in its own place (ADR 0081). */
  worktree: z.string(),
  /** Absolute path of the worktree's own git directory, recorded when git made it; null before. */
  gitDir: z.string().nullable(),
  base: z.object({ branch: z.string().nullable(), sha: z.string().nullable() }),
  /** The name of the base when the attempt began; null before, and for attempts of earlier versions. */
  startedFrom: startedFromSchema.nullable(),
  /** The work of other attempts that it began with; null if it began at its base alone. */
  origin: originSchema.nullable(),
  /** The agent's session and its working directory. */
  session: z.object({ id: z.string(), cwd: z.string() }).nullable(),
  usageTotals: usageTotalsSchema.nullable(),
  /** What it changed against its base, as its runs or a person left it; null until there is a change. */
  patch: attemptPatchSchema.nullable(),
  /** `removed` means its worktree is in the trash or gone. */
  state: z.enum(["open", "canceled", "removed"]),
  /** Null until its work is known to be in its target; `attempt-state.ts` says whether it still is all of it. */
  merged: mergedSchema.nullable(),
  /** Why the last try of its clean-up failed. Null if none failed, and from a new request until its try ends. */
  cleanUp: cleanUpTroubleSchema.nullable(),
  createdAt: time,
  endedAt: time.nullable(),
});
export type Attempt = Entity<typeof attemptSchema>;

/** How to restore a cancelled attempt with an unfinished clean-up, and its cause, as lists and `clean` tell it. */
export function backAfterTrouble({ id, cleanUp }: Pick<Attempt, "id" | "cleanUp">): string | null {
  if (cleanUp === null) return null;
  const short = id.slice(0, 8);
  return `Its clean-up cannot go on: ${cleanUp.why}. Mend that, then \`tazuna cancel ${short}\` tries again. After it, \`tazuna trash restore ${short}\` brings it back.`;
}
