/** Describes the endpoints of the form of a new task: its draft, and what would happen if it were sent. */
import { z } from "zod";
import { waiting } from "../../domain/run/waiting.ts";
import { taskSchema } from "../../domain/task/task.ts";
import { AGENT_CODES, REPOSITORY_CODES } from "../codes.ts";
import type { Endpoints } from "./endpoint.ts";
import { nothing, settings } from "./fields.ts";
import { ROUTES } from "./routes.ts";
import { createTaskRequest } from "./tasks.ts";

const MAX_WORDS = 500_000;
const words = z.string().max(MAX_WORDS, `must have at most ${MAX_WORDS} characters`).default("");

/** What a form holds while it is filled in: each field may be empty, and none is checked against a repository. */
const taskDraft = z.strictObject({
  repository: z.string().nullable().default(null),
  title: z.string().max(200).nullable().default(null),
  issue: words,
  context: words,
  constraints: words,
  base: z.string().max(200).nullable().default(null),
  agents: z
    .array(z.strictObject({ id: z.string().max(200), model: z.string().max(200).nullable().default(null) }))
    .max(64)
    .default([]),
  publish: taskSchema.shape.publish.nullable().default(null),
  branch: z.string().max(200).nullable().default(null),
  from_worktree: z.boolean().default(false),
  offline: z.boolean().default(false),
  budget_usd: z.number().positive().nullable().default(null),
  settings: settings.default({}),
});
export type TaskDraft = z.output<typeof taskDraft>;

const draftAnswer = z.object({
  /** Null if there is none. */
  draft: taskDraft.nullable(),
  updated_at: z.string().nullable(),
});

/** The same as of a new task, but for words that may still be missing. */
const previewRequest = createTaskRequest.extend({ issue: z.string().default("") });

const chosenWorker = z.object({
  id: z.string(),
  name: z.string(),
  /** It has no clone of the repository, and makes one first. An older engine leaves this out, and `goes_to`. */
  clones: z.boolean().optional(),
});

const previewedAttempt = z.object({
  agent: z.string(),
  model: z.string().nullable(),
  ready: z.boolean(),
  /** Why it is not ready, or what is uncertain; null if all is well. */
  reason: z.string().nullable(),
  /** A command that helps, if the reason names one. */
  remedy: z.string().nullable(),
  starts: z.enum(["now", "queued"]),
  waits_for: waiting.nullable(),
  /** The other worker that takes it soon, since it would wait here; null if it stays. */
  goes_to: chosenWorker.nullable().optional(),
  /** From past runs of this agent in this repository; null if there are fewer than five with a known cost. */
  estimate: z.object({ low_usd: z.number(), high_usd: z.number(), runs: z.number() }).nullable(),
});

const previewAnswer = z.object({
  /** `id` is null if it would be registered first. */
  repository: z.object({ id: z.string().nullable(), name: z.string(), path: z.string() }),
  /** As the last fetch left it; null if it cannot be found so. */
  base: z
    .object({
      /** Such as `origin/main`. */
      name: z.string(),
      sha: z.string(),
      /** When the repository was fetched last; null if never. */
      fetched_at: z.string().nullable(),
      /** The person's checkout against it; null if they cannot be compared. */
      checkout: z.object({ ahead: z.number(), behind: z.number() }).nullable(),
    })
    .nullable(),
  /** Why there is no base; null if there is one. */
  base_problem: z.string().nullable(),
  /** The other worker on which it would begin, or on which it may wait because a person chose it; null if it is this one. */
  worker: chosenWorker.nullable(),
  attempts: z.array(previewedAttempt),
  scripts: z.object({ untrusted: z.number() }),
  disk: z.object({
    /** From the worktrees of this repository as they were measured last; null if none was. */
    need_bytes: z.number().nullable(),
    free_bytes: z.number(),
    floor_bytes: z.number(),
  }),
  /** Attempts on this repository that are not put away. */
  open_attempts: z.number(),
  /** What the newest open attempts of the repository change; `files` counts what is not named too. */
  changing: z.array(
    z.object({
      attempt: z.string(),
      task: z.string(),
      title: z.string(),
      paths: z.array(z.string()),
      files: z.number().int(),
    }),
  ),
});
export type PreviewAnswer = z.output<typeof previewAnswer>;

export const DRAFT_ENDPOINTS = {
  taskDraft: {
    ...ROUTES.taskDraft,
    summary: "Shows the draft of a new task.",
    request: nothing,
    answer: draftAnswer,
    codes: [],
  },
  keepTaskDraft: {
    ...ROUTES.keepTaskDraft,
    summary: "Keeps the draft of a new task; null throws it away.",
    request: z.strictObject({ draft: taskDraft.nullable() }),
    answer: draftAnswer,
    codes: [],
  },
  previewTask: {
    ...ROUTES.previewTask,
    summary: "Says what a new task would do. Makes nothing, and asks no remote.",
    request: previewRequest,
    answer: previewAnswer,
    codes: [
      ...new Set([...REPOSITORY_CODES, ...AGENT_CODES, "bad_configuration", "branch_for_one_agent"] as const),
    ],
  },
} as const satisfies Endpoints;
