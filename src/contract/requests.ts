/** Describes the requests of the HTTP API: bodies and query strings. Unknown keys are refused. */
import { z } from "zod";
import { TASK_SETTINGS, type TaskSettings } from "../domain/task/task-settings.ts";

const text = z.string().refine((value) => value.trim() !== "", "must not be blank");
const path = text.refine((value) => !value.includes("\0"), "must not contain a NUL character");
/** Git refuses these too; they are checked here so that the message names the field. */
const branchName = text.refine((value) => !/[\s~^:?*[\\]|^-|\.\./.test(value), "is not a branch name");
/** A branch, a tag or a commit; `HEAD~1` and `v1^{commit}` are commits too. Two dots would name a range. */
const baseName = text
  .max(200, "must have at most 200 characters")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses control characters.
  .refine((value) => !/[\x00-\x20\x7f]|^-|\.\./.test(value), "is not a branch, a tag or a commit");

const settingValue = z.union([z.string().max(1000), z.number(), z.boolean()]);

/**
 * Settings of one task or run, by dotted key; they win over every file. A text is read like a variable's value.
 * Settings of a whole engine cannot be set here, and neither can scripts.
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
  /** Null: the configured base, else the default branch of the remote. */
  base: baseName.nullable().default(null),
  /** Agent ids, each for one attempt; an id may be repeated. Empty: `default_agents` of the configuration. */
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
  /** The commit message of the person's own edits; only without an instruction. */
  message: text.max(20_000, "must have at most 20000 characters").nullable().default(null),
  /** Leaves the conflicts of the merge for the agent; without an instruction that is its only job. */
  resolve: z.boolean().default(false),
  settings: settings.default({}),
});

export const retryRequest = z.strictObject({
  from: z.enum(["start", "push"]).default("start"),
  /** Begins from the base that is known here, without the remote. */
  offline: z.boolean().default(false),
  settings: settings.default({}),
});

export const publishRequest = z.strictObject({
  /** Rule ids of findings, and `check:NAME` of required checks, as the last run showed them. */
  allow: z.array(text.max(200)).max(100).default([]),
  /** Why that may be published; required if `allow` is not empty. */
  reason: text.max(2000).nullable().default(null),
  settings: settings.default({}),
});

const variableName = z.string().regex(/^[^=\0]+$/, "is not the name of a variable");
const variableValue = z.string().refine((value) => !value.includes("\0"), "must not contain a NUL character");

/** The environment of the shell that asks, under an id that the caller makes up; kept in memory only. */
export const environmentRequest = z.strictObject({
  id: z.uuid(),
  variables: z.array(z.tuple([variableName, variableValue])),
});

export const repositoryRequest = z.strictObject({ path });

export const trustRequest = z.strictObject({
  repository: path,
  /** The hashes of the scripts that were shown; `"all"` trusts all present scripts. */
  hashes: z.union([z.literal("all"), z.array(text).max(1000)]),
});

/** Asks the engine to end; with `only_idle`, only if it is idle. */
export const leaveRequest = z.strictObject({ only_idle: z.boolean().default(false) });

export const linkRequest = z.strictObject({ attempt: text.nullable().default(null) });

/** Without `yes` nothing is deleted: the answer says what would be. */
export const emptyTrashRequest = z.strictObject({ yes: z.boolean().default(false) });

/**
 * The id of a task, an attempt or a run, or the beginning of one; null for all attempts. Without `yes` nothing is
 * removed.
 */
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

/** For every list: where the page begins, and the most items that it may have. */
export const pageQuery = z.strictObject({
  cursor: z.string().min(1).nullable().default(null),
  limit: limit.default(50),
});
export const tasksQuery = pageQuery.extend({
  /** Includes cancelled and removed attempts. */
  all: flag.default(false),
  /** Id, name, or the absolute path of a folder in it; null: of all repositories. */
  repository: path.nullable().default(null),
  /** Only attempts that failed. */
  failed: flag.default(false),
});
export const configQuery = z.strictObject({
  repository: path.nullable().default(null),
  /** The settings as JSON: the answer is for a task that would be created with them. */
  settings: z.string().transform(parseJson).pipe(settings).default({}),
});
export const scriptsQuery = z.strictObject({ repository: path });
export const operationsQuery = pageQuery.extend({ subject: text.nullable().default(null) });
export const logQuery = z.strictObject({
  after: wholeNumber.default(0),
  /** For a page: begin at most this many lines before the present end. */
  tail: wholeNumber.nullable().default(null),
  limit: wholeNumber.refine((value) => value >= 1 && value <= 1000, "must be from 1 to 1000").default(200),
});
export const streamQuery = z.strictObject({ after: wholeNumber.nullable().default(null) });
/** `files: "only"` lists the files in pages; `path` names one of them. */
export const diffQuery = pageQuery.extend({
  other: text.nullable().default(null),
  files: z.literal("only").nullable().default(null),
  path: z.string().min(1).nullable().default(null),
});
export const patchQuery = z.strictObject({ other: text.nullable().default(null) });
/** An id, or a unique prefix of one. */
export const findQuery = z.strictObject({ id: text });
export const emptyQuery = z.strictObject({});

/** What a caller writes: all fields with a default may be left out. */
export type CreateTaskRequest = z.input<typeof createTaskRequest>;
export type FollowUpRequest = z.input<typeof followUpRequest>;
export type RetryRequest = z.input<typeof retryRequest>;
export type PublishRequest = z.input<typeof publishRequest>;
export type TrustRequest = z.input<typeof trustRequest>;

/** Not an object if it is not JSON; the schema after it then reports that. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
