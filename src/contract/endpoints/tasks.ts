/** Describes the endpoints of tasks: creating them, listing them, and ending what they do. */
import { z } from "zod";
import { ATTEMPT_STATES } from "../../domain/attempt/attempt-state.ts";
import { isBaseName } from "../../domain/repository/branch-names.ts";
import { taskSchema } from "../../domain/task/task.ts";
import { AGENT_CODES, CLONE_CODES, REPOSITORY_CODES } from "../codes.ts";
import { isLabel, LABEL_RULE, MOST_LABELS } from "../labels.ts";
import { listedTask, repositoryDocument, taskDocument } from "../task-document.ts";
import type { Endpoints } from "./endpoint.ts";
import { flag, listOf, narrowing, nothing, pageQuery, path, settings, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

/** Git refuses these too; they are checked here so that the message names the field. */
const branchName = text.refine((value) => !/[\s~^:?*[\\]|^-|\.\./.test(value), "is not a branch name");
const baseName = text
  .max(200, "must have at most 200 characters")
  .refine(isBaseName, "is not a branch, a tag or a commit");

export const createTaskRequest = z.strictObject({
  /** Id, name or address of a known repository. An absolute path names a folder in it. */
  repository: path,
  title: text.max(200, "must have at most 200 characters").nullable().default(null),
  issue: text,
  context: z.string().nullable().default(null),
  constraints: z.string().nullable().default(null),
  /** Null: the configured base, else the default branch of the remote. */
  base: baseName.nullable().default(null),
  /** Agent ids, each for one attempt; an id may be repeated. Empty: `default_agents` of the configuration. */
  agents: z
    .array(z.union([text, z.strictObject({ id: text, model: text.nullable().default(null) })]))
    .max(64)
    .default([]),
  publish: taskSchema.shape.publish.nullable().default(null),
  /** An existing branch to work on; one agent only. */
  branch: branchName.nullable().default(null),
  from_worktree: z.boolean().default(false),
  offline: z.boolean().default(false),
  budget_usd: z.number().positive().nullable().default(null),
  settings: settings.default({}),
  /** The name or id of a worker that has a clone of the same address; null: this one, or one that has a free slot. */
  worker: text.nullable().default(null),
  /** It begins on a worker that has all of these labels, and waits until there is one. */
  on_labels: z
    .array(text.refine(isLabel, LABEL_RULE))
    .max(MOST_LABELS, `must be at most ${MOST_LABELS} labels`)
    .default([]),
});
const addAttemptRequest = z.strictObject({
  /** An agent's id. */
  agent: z.union([text, z.strictObject({ id: text, model: text.nullable().default(null) })]),
  /** Null: the base of the task. */
  base: baseName.nullable().default(null),
  /** Begins from the base that is known here, without the remote. */
  offline: z.boolean().default(false),
  settings: settings.default({}),
});
const demoRequest = z.strictObject({
  /** Whether one of the two agents asks a question. */
  ask: z.boolean().default(false),
});

export type CreateTaskRequest = z.input<typeof createTaskRequest>;
export type CreateTaskBody = z.output<typeof createTaskRequest>;

const tasksQuery = pageQuery.extend({
  /** Includes cancelled and removed attempts. */
  all: flag.default(false),
  ...narrowing,
  /** Only attempts in this state. */
  state: z.enum(ATTEMPT_STATES).nullable().default(null),
});

const foundAnswer = z.object({
  type: z.enum(["task", "attempt", "run"]),
  id: z.string(),
  /** Null for a task. */
  attempt: z.string().nullable(),
  task: z.string(),
});
export type FoundAnswer = z.infer<typeof foundAnswer>;

export const TASK_ENDPOINTS = {
  createTask: {
    ...ROUTES.createTask,
    summary: "Creates a task with one attempt per agent, and starts them.",
    request: createTaskRequest,
    answer: taskDocument,
    codes: [
      ...new Set([...REPOSITORY_CODES, ...CLONE_CODES] as const),
      "empty_instruction",
      "options_conflict",
      "bad_configuration",
      "no_agent",
      "branch_for_one_agent",
      "unknown_agent",
      "agent_without_command",
      "branch_missing",
      "branch_checked_out",
      "no_checkout",
      "scripts_not_trusted",
      "worker_unfit",
    ],
  },
  demo: {
    ...ROUTES.demo,
    summary: "Makes a scratch repository with its own bare remote, and starts two demo agents on it.",
    request: demoRequest,
    answer: taskDocument,
    codes: [
      ...REPOSITORY_CODES,
      "demo_failed",
      "bad_configuration",
      "unknown_agent",
      "agent_without_command",
      "scripts_not_trusted",
    ],
  },
  removeDemo: {
    ...ROUTES.removeDemo,
    summary: "Removes every demo with all that belongs to it, if nothing of a person is in it.",
    request: nothing,
    answer: z.object({ removed: z.array(repositoryDocument) }),
    codes: ["demo_changed", "demo_busy"],
  },
  tasks: {
    ...ROUTES.tasks,
    summary: "Lists tasks with their attempts and runs, the newest first.",
    request: tasksQuery,
    answer: listOf(listedTask),
    codes: ["bad_cursor", ...REPOSITORY_CODES],
  },
  task: {
    ...ROUTES.task,
    summary: "Shows a task with its attempts and runs.",
    request: nothing,
    answer: taskDocument,
    codes: ["not_found"],
  },
  find: {
    ...ROUTES.find,
    summary: "Finds the task, attempt or run that an id or a unique prefix of one means.",
    request: z.strictObject({ id: text }),
    answer: foundAnswer,
    codes: ["not_found", "ambiguous_id"],
  },
  addAttempt: {
    ...ROUTES.addAttempt,
    summary: "Adds an attempt: an agent begins anew on the task's issue, from the base as it is now.",
    request: addAttemptRequest,
    answer: taskDocument,
    codes: ["not_found", ...AGENT_CODES, "bad_configuration", "scripts_not_trusted"],
  },
  stop: {
    ...ROUTES.stop,
    summary: "Interrupts its runs. Branch, files and session stay.",
    request: nothing,
    answer: taskDocument,
    codes: ["not_found", "ambiguous_id", "held_elsewhere"],
  },
  cancel: {
    ...ROUTES.cancel,
    summary: "Ends it. After a snapshot, its worktrees go into the trash.",
    request: nothing,
    answer: taskDocument,
    codes: ["not_found", "ambiguous_id", "held_elsewhere"],
  },
} as const satisfies Endpoints;
