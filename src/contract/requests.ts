/** Describes what the HTTP API may be asked for: bodies and query strings. Unknown keys are refused. */
import { z } from "zod";
import { TASK_SETTINGS, type TaskSettings } from "../domain/configuration/task-settings.ts";

const text = z.string().refine((value) => value.trim() !== "", "must not be blank");
const path = text.refine((value) => !value.includes("\0"), "must not contain a NUL character");
/** Git refuses these too; said here so that the message names the field. */
const branchName = text.refine((value) => !/[\s~^:?*[\\]|^-|\.\./.test(value), "is not a branch name");

const settingValue = z.union([z.string().max(1000), z.number(), z.boolean()]);

/**
 * Settings of one task or run, by dotted key, over every file; a text is read as a variable would be. What holds for a
 * whole engine cannot be set here, and neither can scripts.
 */
const settings: z.ZodType<TaskSettings, TaskSettings> = z.strictObject(
  Object.fromEntries(TASK_SETTINGS.map((key) => [key, settingValue.exactOptional()])),
);

export const createTaskRequest = z.strictObject({
  /** Id of a repository, or the absolute path of a folder in it. */
  repository: path,
  title: text.max(200, "must have at most 200 characters").nullable().default(null),
  issue: text,
  context: z.string().nullable().default(null),
  constraints: z.string().nullable().default(null),
  base: branchName.nullable().default(null),
  /** Agent ids, each for one attempt; an id may be repeated. Empty: the configured or only agent. */
  agents: z
    .array(z.union([text, z.strictObject({ id: text, model: text.nullable().default(null) })]))
    .max(64)
    .default([]),
  publish: z.enum(["push", "commit", "hold"]).nullable().default(null),
  /** An existing branch to work on; one agent only. */
  branch: branchName.nullable().default(null),
  from_worktree: z.boolean().default(false),
  offline: z.boolean().default(false),
  budget_usd: z.number().positive().nullable().default(null),
  settings: settings.default({}),
});

export const followUpRequest = z.strictObject({
  /** Null commits the person's own edits in the worktree, without an agent. */
  instruction: text.nullable().default(null),
  merge_base: z.boolean().default(false),
  settings: settings.default({}),
});

export const retryRequest = z.strictObject({
  from: z.enum(["start", "push"]).default("start"),
  settings: settings.default({}),
});

export const publishRequest = z.strictObject({
  /** Rule ids of findings, and `check:NAME` of required checks, as the last run showed them. */
  allow: z.array(text.max(200)).max(100).default([]),
  /** Why that may be published; needed where anything is allowed. */
  reason: text.max(2000).nullable().default(null),
  settings: settings.default({}),
});

export const repositoryRequest = z.strictObject({ path });

export const trustRequest = z.strictObject({
  repository: path,
  /** Of the scripts as they were shown; `"all"` trusts whatever is there now. */
  hashes: z.union([z.literal("all"), z.array(text).max(1000)]),
});

export const linkRequest = z.strictObject({ attempt: text.nullable().default(null) });

/** Without `yes` nothing is deleted: the answer says what would be. */
export const emptyTrashRequest = z.strictObject({ yes: z.boolean().default(false) });

/** The id of a task, an attempt or a run, or the beginning of one; null for all attempts. Without `yes` nothing goes. */
export const cleanRequest = z.strictObject({
  id: text.nullable().default(null),
  yes: z.boolean().default(false),
});

export const emptyRequest = z.strictObject({});

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number")
  .transform(Number);
const limit = wholeNumber.refine((value) => value >= 1 && value <= 200, "must be from 1 to 200");
const flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** Of every list: where the page begins, and how many items it has at most. */
export const pageQuery = z.strictObject({
  cursor: z.string().min(1).nullable().default(null),
  limit: limit.default(50),
});
export const tasksQuery = pageQuery.extend({ all: flag.default(false) });
export const repositoryQuery = z.strictObject({ repository: path.nullable().default(null) });
export const configQuery = z.strictObject({
  repository: path.nullable().default(null),
  /** As JSON: the settings of a task that would be created with them. */
  settings: z.string().transform(parseJson).pipe(settings).default({}),
});
export const scriptsQuery = z.strictObject({ repository: path });
export const operationsQuery = pageQuery.extend({ subject: text.nullable().default(null) });
export const logQuery = z.strictObject({
  after: wholeNumber.default(0),
  limit: wholeNumber.refine((value) => value >= 1 && value <= 1000, "must be from 1 to 1000").default(200),
});
export const streamQuery = z.strictObject({ after: wholeNumber.nullable().default(null) });
export const diffQuery = z.strictObject({ other: text.nullable().default(null) });
/** An id, or a unique prefix of one. */
export const findQuery = z.strictObject({ id: text });
export const emptyQuery = z.strictObject({});

/** What a caller writes: everything with a default may be left out. */
export type CreateTaskRequest = z.input<typeof createTaskRequest>;
export type FollowUpRequest = z.input<typeof followUpRequest>;
export type RetryRequest = z.input<typeof retryRequest>;
export type PublishRequest = z.input<typeof publishRequest>;
export type TrustRequest = z.input<typeof trustRequest>;

/** Not an object where it is not JSON, which the schema behind it then says. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
