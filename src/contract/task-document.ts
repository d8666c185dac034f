/** Describes tasks, attempts and runs as every door shows them (product contract, section 6). */
import { z } from "zod";
import { ATTEMPT_STATES } from "../domain/attempt/attempt-state.ts";
import { RUN_OUTCOMES, RUN_PHASES, RUN_STATUSES } from "../domain/run/state.ts";
import { waiting } from "../domain/run/waiting.ts";

const details = z.record(z.string(), z.unknown());

const failureDocument = z.object({
  /** One of the failure codes of the product contract, section 3. */
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
  details,
});

const usageDocument = z.object({
  input_tokens: z.number(),
  cached_input_tokens: z.number(),
  output_tokens: z.number(),
  /** US dollars; null if the agent gave no cost and no price is known. */
  cost_usd: z.number().nullable(),
  cost_estimated: z.boolean(),
});

const changesDocument = z.object({
  files: z.number(),
  /** Lines. */
  additions: z.number(),
  deletions: z.number(),
});

const patchDocument = changesDocument.extend({
  /** Absolute path of the stored patch. */
  path: z.string().nullable(),
});

const checkDocument = z.object({
  name: z.string(),
  /** If a required check did not pass, the commit is not pushed. */
  required: z.boolean(),
  passed: z.boolean(),
  outcome: z.enum(["passed", "failed", "timed_out", "stopped"]),
  /** Null if it timed out, was stopped, or was ended by a signal. */
  exit_code: z.number().nullable(),
  duration_ms: z.number(),
  /** The staged tree that it checked. */
  tree: z.string(),
  /** The end of its output. */
  log: z.string(),
});

const runDocument = z.object({
  id: z.string(),
  /** Counts from 1 within the attempt. */
  number: z.number(),
  kind: z.enum(["agent", "commit", "publish"]),
  instruction: z.string(),
  status: z.enum(RUN_STATUSES),
  phase: z.enum(RUN_PHASES).nullable(),
  outcome: z.enum(RUN_OUTCOMES).nullable(),
  failure: failureDocument.nullable(),
  commit: z.string().nullable(),
  summary: z.string().nullable(),
  usage: usageDocument.nullable(),
  patch: patchDocument.nullable(),
  /** In the order in which they ended. */
  checks: z.array(checkDocument),
  /** What confined the agent; null before it started. */
  isolation: z.enum(["sandbox", "guard", "none"]).nullable(),
  /** One sentence: why the confinement is weaker than asked for; null if it is not. */
  isolation_reason: z.string().nullable(),
  notes: z.array(z.object({ code: z.string(), message: z.string(), details })),
  /** A queued follow-up that begins only when a person says so. */
  held: z.boolean(),
  /** What it waits for in the queue; null if it is not there, or if the scheduler has not looked yet. */
  waits_for: waiting.nullable(),
  /** UTC ISO; set while the run waits for a rate limit. */
  resume_at: z.string().nullable(),
  last_action: z.object({ at: z.string(), text: z.string() }).nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});

const attemptDocument = z.object({
  id: z.string(),
  /** Counts from 1 within the task. */
  number: z.number(),
  agent: z.string(),
  executor: z.string(),
  model: z.string().nullable(),
  branch: z.string(),
  /** Absolute path. */
  worktree: z.string(),
  base: z.object({ branch: z.string().nullable(), sha: z.string().nullable() }),
  /**
   * The name of the base, and how many commits the person's checkout differed from it; null before the attempt began.
   */
  started_from: z
    .object({
      name: z.string(),
      from_worktree: z.boolean(),
      ahead: z.number().nullable(),
      behind: z.number().nullable(),
    })
    .nullable(),
  /** The id of the agent's session; null before there is one. */
  session: z.string().nullable(),
  /** Of the attempt as a whole; each run has its own status. */
  state: z.enum(ATTEMPT_STATES),
  /** Against its base, as `diff` shows them; null if they could not be counted. */
  changes: changesDocument.nullable(),
  /** The tip of its branch, if that is a commit of its own. Else the newest commit of its runs that still stands. */
  commit: z.string().nullable(),
  /** Of all its runs together; null if none reported any. */
  usage: usageDocument.nullable(),
  /**
   * Why a cancelled attempt is not cleaned up, and when that is tried again (UTC ISO); null if nothing is in the way.
   */
  clean_up: z.object({ why: z.string(), tried_at: z.string(), again_at: z.string() }).nullable(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  /** By number, the oldest first. */
  runs: z.array(runDocument),
});

export const repositoryDocument = z.object({
  id: z.string(),
  name: z.string(),
  /** Absolute path. */
  path: z.string(),
  bare: z.boolean(),
  created_at: z.string(),
});

const taskFields = z.object({
  id: z.string(),
  title: z.string(),
  issue: z.string(),
  context: z.string().nullable(),
  constraints: z.string().nullable(),
  base: z.string().nullable(),
  publish: z.enum(["push", "commit", "hold"]),
  repository: repositoryDocument.pick({ id: true, name: true, path: true }),
  created_at: z.string(),
});

/** The answer of `run` and of similar commands. */
export const taskDocument = z.object({ task: taskFields, attempts: z.array(attemptDocument) });

/** A task in a list, its attempts within it. */
export const listedTask = taskFields.extend({ attempts: z.array(attemptDocument) });

/** One attempt on its own, with its parent's id. */
export const attemptAlone = attemptDocument.extend({ task: z.string() });

/** One run on its own, with its parents' ids. */
export const runAlone = runDocument.extend({ attempt: z.string(), task: z.string() });

export type CheckDocument = z.infer<typeof checkDocument>;
export type RunDocument = z.infer<typeof runDocument>;
export type AttemptDocument = z.infer<typeof attemptDocument>;
export type RepositoryDocument = z.infer<typeof repositoryDocument>;
export type TaskDocument = z.infer<typeof taskDocument>;
export type ListedTask = z.infer<typeof listedTask>;
export type AttemptAlone = z.infer<typeof attemptAlone>;
export type RunAlone = z.infer<typeof runAlone>;
