/** Describes tasks, attempts and runs as JSON, the same in the API and with `--json`. */
import { z } from "zod";
import { actorSchema } from "../domain/actor.ts";
import { usageSchema } from "../domain/agent/counters.ts";
import { attemptSchema } from "../domain/attempt/attempt.ts";
import { ATTEMPT_STATES } from "../domain/attempt/attempt-state.ts";
import { decisionSchema } from "../domain/decision/decision.ts";
import { questionSchema } from "../domain/question/question.ts";
import { repositorySchema } from "../domain/repository/repository.ts";
import { checkSchema } from "../domain/run/check.ts";
import { failureSchema } from "../domain/run/failure.ts";
import { patchStatSchema, runSchema } from "../domain/run/run.ts";
import { waiting } from "../domain/run/waiting.ts";
import { taskSchema } from "../domain/task/task.ts";
import { documentOf, without } from "./document-of.ts";
import { pullRequestSummary } from "./pull-request-document.ts";

/** The fields of a check that are shown as they are. */
export const checkFields = without(checkSchema.shape, "runId", "command", "output", "leftBehind", "at");

const checkDocument = z.object({
  ...documentOf(checkFields),
  passed: z.boolean(),
  /** The end of its output; in lists its last 1,000 characters at most. */
  log: z.string(),
});

/** What an agent asks a person. `expect` is what an answer names, so that nothing else is answered. */
const questionFields = {
  ...without(
    questionSchema.shape,
    "runId",
    "attemptId",
    "start",
    "key",
    "hash",
    "answer",
    "closed",
    "closedAt",
    "deliveredAt",
    "repeats",
  ),
  expect: z.string(),
  /** What a rule may allow from now on: all of it, or commands that begin with `prefix`. Null: no rule can. */
  always: z.object({ whole: z.string(), prefix: z.string().nullable() }).nullable(),
};

/** The fields of a run that are shown as they are, with those that its row does not hold. */
export const runFields = {
  ...without(
    runSchema.shape,
    "attemptId",
    "stopRequest",
    "startSha",
    "tree",
    "patch",
    "offline",
    "options",
    "agentStartedAt",
    "lease",
  ),
  /** What it waits for in the queue; null if it is not queued, or the scheduler has not looked yet. */
  waitsFor: waiting.nullable(),
  /** Its place in the queue of its attempt, counted from 1; null if it is not queued. */
  position: z.number().int().nullable(),
  /** What it asks a person now; null if it asks nothing. */
  question: z.object(questionFields).nullable(),
  lastAction: z.object({ at: z.string(), text: z.string() }).nullable(),
  /** When it came into its phase, such as back to its agent after an answer, UTC ISO; null if it has ended, or has not moved yet. */
  phaseSince: z.string().nullable(),
};

const runDocument = z.object({
  ...documentOf(runFields),
  /** Who asked for it; null if Tazuna added it by itself, or an older program did. */
  actor: actorSchema.nullable(),
  /** Who asked for its end last. Absent if nobody did, or if that is not known. */
  stopped_by: actorSchema.optional(),
  /** The agent that reads in a review; null for all other runs. */
  reviewer: z.string().nullable(),
  /** `code` is one of `FAILURE_CODES` (`domain/run/failure.ts`). */
  failure: z.object({ ...failureSchema.shape, code: z.string() }).nullable(),
  /** `path` is the absolute path of the stored patch. */
  patch: z.object({ ...patchStatSchema.shape, path: z.string().nullable() }).nullable(),
  /** In the order in which they ended. */
  checks: z.array(checkDocument),
});

/** The fields of an attempt that are shown as they are, with the sums of its runs. */
export const attemptFields = {
  ...without(
    attemptSchema.shape,
    "taskId",
    "branchExisted",
    "gitDir",
    "session",
    "usageTotals",
    "patch",
    "state",
  ),
  /** Against its base, as `diff` shows them; null if they could not be counted. */
  changes: patchStatSchema.nullable(),
  /** Of all its runs together; null if none reported any. */
  usage: usageSchema.nullable(),
};

const attemptDocument = z.object({
  ...documentOf(attemptFields),
  /** The id of the agent's session; null before there is one. */
  session: z.string().nullable(),
  /** Of the attempt as a whole; each run has its own status. */
  state: z.enum(ATTEMPT_STATES),
  /** The tip of its branch, if that is a commit of its own. Else the newest commit of its runs that still stands. */
  commit: z.string().nullable(),
  /** The decision about its task that holds is for it. */
  chosen: z.boolean(),
  /** Null if it has none. */
  pull_request: pullRequestSummary.nullable(),
  /** The other worker that holds its files; null if they are here, or nowhere. */
  worker: z.object({ id: z.string(), /** For people. */ name: z.string() }).nullable(),
  /** What the depot has of it while it is open; null without a depot, or if there was nothing to copy yet. */
  depot: z
    .object({
      /** When the newest copy was made. */
      protected_at: z.string().nullable(),
      /** Since then later edits lie on one disk only; null if all went well. */
      unprotected_since: z.string().nullable(),
      trouble: z.string().nullable(),
    })
    .nullable(),
  /** Workers that came back with edits that it does not have. Absent if none did. */
  came_back: z
    .array(
      z.object({
        worker: z.object({ id: z.string(), /** For people. */ name: z.string() }),
        /** How many files were edited there after the copy with which it went on. */
        files: z.number(),
        /** Paths there that no copy can hold. */
        not_contained: z.array(z.string()),
        /** Absolute, on that worker. */
        path: z.string(),
        taken_at: z.string(),
        /** Whether the depot has them, so that they can be restored. */
        ready: z.boolean(),
      }),
    )
    .optional(),
  /** In the order in which they work: those that began, then the queue. The newest has the highest number. */
  runs: z.array(runDocument),
});

/** The fields of a repository that are shown. */
export const repositoryFields = without(repositorySchema.shape, "commonDir");
export const repositoryDocument = z.object(documentOf(repositoryFields));

/** The fields of a task that are shown as they are. */
export const taskFields = without(taskSchema.shape, "repositoryId", "settings");

/** The fields of a decision that its task shows. */
export const decidedFields = without(decisionSchema.shape, "taskId", "issue", "evidence", "replacedAt");
const decided = z.object(documentOf(decidedFields));
export type Decided = z.infer<typeof decided>;

export const taskHead = z.object({
  ...documentOf(taskFields),
  /** Which attempt was chosen and why; null if none was. */
  decision: decided.nullable(),
  repository: repositoryDocument.pick({ id: true, name: true, path: true }),
});

/** The answer of `run` and of similar commands. */
export const taskDocument = z.object({ task: taskHead, attempts: z.array(attemptDocument) });

/** A task in a list, its attempts within it. */
export const listedTask = taskHead.extend({ attempts: z.array(attemptDocument) });

/** One attempt on its own, with its parent's id. */
export const attemptAlone = attemptDocument.extend({
  task: z.string(),
  /** The decision about its task; null if there is none. */
  decision: decided.nullable(),
});

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
