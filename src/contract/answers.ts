/** Describes all other answers of the HTTP API: agents, repositories, settings, scripts, operations, logs, diffs. */
import { z } from "zod";
import { attemptAlone, listedTask, repositoryDocument, runAlone } from "./task-document.ts";

export const healthAnswer = z.object({ name: z.literal("tazuna"), version: z.string() });

export const ENGINE_KINDS = ["background", "terminal", "command"] as const;

export const engineAnswer = z.object({
  pid: z.number(),
  version: z.string(),
  url: z.string(),
  /** UTC ISO. */
  since: z.string(),
  /** The data folder. */
  home: z.string(),
  kind: z.enum(ENGINE_KINDS),
  /** No run works, waits or is queued, and no client watches. */
  idle: z.boolean(),
  runs: z.array(
    z.object({
      id: z.string(),
      attempt: z.string(),
      status: z.string(),
      phase: z.string().nullable(),
    }),
  ),
});
export type EngineAnswer = z.output<typeof engineAnswer>;

export const leaveAnswer = z.object({ leaving: z.boolean() });

export const foundAnswer = z.object({
  type: z.enum(["task", "attempt", "run"]),
  id: z.string(),
  /** Null for a task. */
  attempt: z.string().nullable(),
  task: z.string(),
});

export const taskPage = listOf(listedTask);
export const attemptPage = listOf(attemptAlone);
export const runPage = listOf(runAlone);

export const logLine = z.object({
  /** Strictly increasing within the run. */
  n: z.number(),
  at: z.string().nullable(),
  source: z.enum(["agent", "stderr", "tazuna"]),
  event: z.record(z.string(), z.unknown()),
});

export const logPage = z.object({
  lines: z.array(logLine),
  /** Send it back as `after` to read on. */
  next: z.number(),
  /** True once the run has ended and nothing will follow. */
  ended: z.boolean(),
});

const changedFile = z.object({
  path: z.string(),
  status: z.string(),
  /** Null for binary files. */
  additions: z.number().nullable(),
  deletions: z.number().nullable(),
});

export const diffAnswer = z.object({
  files: z.array(changedFile),
  patch: z.string(),
  /** Set if the patch is cut. */
  truncated: z.object({ shown_bytes: z.number(), bytes: z.number() }).optional(),
});

/** The answer to `?files=only`: a page of the changed files. */
export const diffFilesAnswer = z.object({ files: z.array(changedFile), next: z.string().nullable() });

const operationDocument = z.object({
  id: z.string(),
  kind: z.string(),
  subject: z.object({ type: z.enum(["repository", "task", "attempt", "run"]), id: z.string() }),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  status: z.enum(["intended", "done", "failed", "abandoned"]),
  undoable: z.boolean(),
  at: z.string(),
  ended_at: z.string().nullable(),
});

export const operationAnswer = z.object({ operation: operationDocument });

const trashEntry = z.object({
  /** The id of the operation that put it there. */
  id: z.string(),
  attempt: z.string(),
  path: z.string(),
  snapshot: z.string().nullable(),
  /** Null if it was not counted. */
  bytes: z.number().nullable(),
  deleted_at: z.string(),
});

export const removedAnswer = z.object({
  repository: repositoryDocument,
  /** Tasks on it, whose records stay. */
  tasks: z.number().int(),
  /** Worktrees of it that stay in the trash. */
  trashed: z.number().int(),
});

export const restoredAnswer = z.object({ entry: z.string(), path: z.string() });

/** What is deleted, or would be, and what stays with its reason. */
export const clearedAnswer = z.object({
  removed: z.array(z.object({ id: z.string(), bytes: z.number() })),
  kept: z.array(z.object({ id: z.string(), reason: z.string() })),
});

const cleanThing = {
  /** The id of the attempt; for anything else, the id under which `doctor` shows it. */
  id: z.string(),
  what: z.string(),
  whose: z.string().nullable(),
  path: z.string().nullable(),
};

/** What a clean-up removed, or would remove, and what it kept. */
export const cleanAnswer = z.object({
  removed: z.array(z.object({ ...cleanThing, bytes: z.number(), why: z.string() })),
  kept: z.array(
    z.object({
      ...cleanThing,
      bytes: z.number().nullable(),
      reason: z.string(),
      remedy: z.string().nullable(),
    }),
  ),
});

const agentDocument = z.object({
  id: z.string(),
  executor: z.string(),
  version: z.string().nullable(),
  ready: z.boolean(),
  reason: z.string().nullable(),
});

const findingDocument = z.object({
  /** Stable as long as the thing does not change. */
  id: z.string(),
  level: z.enum(["ok", "info", "warning", "error"]),
  what: z.string(),
  remedy: z.string().nullable(),
  whose: z.string().nullable(),
  why: z.string().nullable(),
  bytes: z.number().nullable(),
  /** Absolute. */
  path: z.string().nullable(),
});

export const doctorAnswer = z.object({ findings: z.array(findingDocument) });

const scriptDocument = z.object({ hash: z.string(), text: z.string(), trusted: z.boolean() });

const configValue = z.object({ key: z.string(), value: z.unknown(), source: z.string() });

/** A link that opens the browser's door once. */
export const linkAnswer = z.object({ url: z.string() });

export const agentList = listOf(agentDocument);
export const repositoryList = listOf(repositoryDocument);
export const scriptList = listOf(scriptDocument);
export const configList = listOf(configValue);
export const operationList = listOf(operationDocument);

export const trashList = listOf(trashEntry);

export type FoundAnswer = z.infer<typeof foundAnswer>;
export type LogLine = z.infer<typeof logLine>;
export type DiffFile = z.infer<typeof changedFile>;
export type DiffFiles = z.infer<typeof diffFilesAnswer>;
export type OperationDocument = z.infer<typeof operationDocument>;
export type TrashDocument = z.infer<typeof trashEntry>;
export type ClearedAnswer = z.infer<typeof clearedAnswer>;
export type CleanAnswer = z.infer<typeof cleanAnswer>;
export type ScriptDocument = z.infer<typeof scriptDocument>;
export type ConfigValue = z.infer<typeof configValue>;
export type FindingDocument = z.infer<typeof findingDocument>;

/** A page of a list. Send `next` back as `cursor`; it is null at the end. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() });
}
