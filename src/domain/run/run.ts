/** Describes a run: one turn of work in an attempt; its states are in `state.ts` (seed 003 Related files). */
import { z } from "zod";
import { actorSchema } from "../actor.ts";
import { usageSchema } from "../agent/counters.ts";
import { sentBeforeSchema } from "../comment/comment.ts";
import { type Entity, jsonObject, time } from "../entity.ts";
import { allowanceSchema } from "../publish/allowance.ts";
import { leftOutSchema } from "../publish/left-out.ts";
import { taskSettingsSchema } from "../task/task.ts";
import { failureSchema } from "./failure.ts";
import { RUN_KINDS, RUN_OUTCOMES, RUN_PHASES, RUN_STATUSES } from "./state.ts";

/** What another worker has to know that takes a run before it has begun. */
const mayMoveSchema = z.object({
  /** The model that was asked for, in place of the agent's own. */
  model: z.string().nullable(),
  /** The workers that looked at it and cannot begin it. */
  refusedBy: z.array(z.string()),
  /** The workers that could not clone its repository. They are asked again once that is tried again, or a clone is there. */
  unclonedAt: z.array(z.string()).exactOptional(),
  /** The workers that have its clone, and where it would have waited too. */
  waitsAt: z.array(z.string()).exactOptional(),
});

const movedSchema = z.object({
  /** The worker that was lost. */
  worker: z.string(),
  name: z.string(),
  /** The commit of its files that came along; null if none did. */
  copy: z.string().nullable(),
  /** Edits up to then are in it, by the clock of the database. */
  upTo: time.nullable(),
});

/** Requests to a run beyond its instruction. */
const runOptionsSchema = z.object({
  /** Merge the newest base into the branch before the agent begins. */
  mergeBase: z.boolean().exactOptional(),
  /**
   * Conflicts before this run are left for its agent. `only`: it does nothing else, and without conflicts no agent
   * begins.
   */
  resolve: z.enum(["first", "only"]).exactOptional(),
  /** The first run begins from this base, and not from that of its task. */
  base: z.string().exactOptional(),
  /** The first run begins from the user's working tree, with its uncommitted changes. */
  fromWorktree: z.boolean().exactOptional(),
  /** The first run begins from this tree, which was made on that commit. Both stay under a private reference. */
  fromTree: z.object({ tree: z.string(), base: z.string() }).exactOptional(),
  /**
   * How far the person's own words reach in the instruction, in UTF-16 units; what was sent with them comes after.
   * Absent: all of it.
   */
  ownLength: z.number().int().exactOptional(),
  /** The commit message that a person wrote for their own edits. */
  message: z.string().exactOptional(),
  /** Of the comments that were sent with it: those that an earlier run had got too. */
  sentBefore: z.array(sentBeforeSchema).exactOptional(),
  /** The ended run that this one repeats. */
  retryOf: z.string().exactOptional(),
  /** What a person allowed for publishing. */
  allowance: allowanceSchema.exactOptional(),
  /** Files that a person leaves out of this attempt's commits, from this run on. */
  leaveOut: z.array(leftOutSchema).exactOptional(),
  /** Pushes under a branch name that the remote does not have. */
  anotherBranch: z.literal(true).exactOptional(),
  /** Runs the checks on what is committed already, and makes no commit. */
  recheck: z.literal(true).exactOptional(),
  /** How often this run was restarted after a passing fault of the provider. */
  restarts: z.number().exactOptional(),
  /** How often its agent's process was stopped because a person had not answered. */
  parks: z.number().exactOptional(),
  /** Its agent's process was stopped like that, and was not started again yet. */
  parked: z.literal(true).exactOptional(),
  /** How often its agent's process was stopped because its engine did not renew the lease in time. */
  fences: z.number().exactOptional(),
  /** Its agent's process was stopped like that, and was not started again yet. */
  fenced: z.literal(true).exactOptional(),
  /** A person wants it to try before its provider's limit is over; until it has tried. */
  triesNow: z.literal(true).exactOptional(),
  /** Most that this run may cost, in US dollars. */
  budgetUsd: z.number().exactOptional(),
  /** The request came from a shell, whose environment is kept in memory only. */
  fromShell: z.boolean().exactOptional(),
  /** Who asked for it; absent in a run that Tazuna adds by itself. */
  actor: actorSchema.exactOptional(),
  /** Of a review: the agent that reads, which may be another one than the attempt's. */
  review: z
    .object({
      agent: z.string(),
      executor: z.string(),
      model: z.string().nullable(),
      /** It is the agent whose work it reads. */
      own: z.boolean(),
    })
    .exactOptional(),
  /** Another worker may take it while it waits: nothing that it needs is on one machine alone. */
  mayMove: mayMoveSchema.exactOptional(),
  /** Its worker was lost, and another one took it over. */
  moved: movedSchema.exactOptional(),
  /** Settings from the caller's environment for a later run; they win over the settings of its task. */
  settings: taskSettingsSchema.exactOptional(),
});
export type RunOptions = Entity<typeof runOptionsSchema>;

export const patchStatSchema = z.object({
  files: z.number(),
  /** Lines. */
  additions: z.number(),
  deletions: z.number(),
});
export type PatchStat = Entity<typeof patchStatSchema>;

const runNoteSchema = z.object({
  /** Stable, such as `denied_path`, `foreign_ref_moved`, `agent_commit_undone`, `session_restarted`. */
  code: z.string(),
  message: z.string(),
  details: jsonObject,
});
export type RunNote = Entity<typeof runNoteSchema>;

/** The owner that may write this run's state, and until when; `epoch` rejects every write of an earlier owner. */
const leaseSchema = z.object({ owner: z.string(), epoch: z.number().int(), until: time });

export const runSchema = z.object({
  id: z.string(),
  attemptId: z.string(),
  /** Counts from 1 within the attempt. */
  number: z.number().int(),
  kind: z.enum(RUN_KINDS),
  instruction: z.string(),
  status: z.enum(RUN_STATUSES),
  phase: z.enum(RUN_PHASES).nullable(),
  outcome: z.enum(RUN_OUTCOMES).nullable(),
  failure: failureSchema.nullable(),
  /** A person's request while it ran; the run's owner carries it out. */
  stopRequest: z.enum(["stop", "cancel"]).nullable(),
  /** HEAD when the run began. */
  startSha: z.string().nullable(),
  /** The staged tree, once staging is done. */
  tree: z.string().nullable(),
  commit: z.string().nullable(),
  summary: z.string().nullable(),
  usage: usageSchema.nullable(),
  patch: patchStatSchema.nullable(),
  /** What confined the agent; null before it started. */
  isolation: z.enum(["sandbox", "guard", "none"]).nullable(),
  /** One sentence: why the confinement is weaker than asked for; null if it is not. */
  isolationReason: z.string().nullable(),
  /** Things a person should know that did not fail the run (files left out, a new session). */
  notes: z.array(runNoteSchema),
  /** Whether the last known base may be used without a fetch. */
  offline: z.boolean(),
  /** A queued follow-up whose predecessor failed or was stopped: it begins only when a person says so. */
  held: z.boolean(),
  options: runOptionsSchema,
  /** Set while the run waits for a rate limit. */
  resumeAt: time.nullable(),
  createdAt: time,
  startedAt: time.nullable(),
  agentStartedAt: time.nullable(),
  endedAt: time.nullable(),
  lease: leaseSchema.nullable(),
});
export type Run = Entity<typeof runSchema>;
