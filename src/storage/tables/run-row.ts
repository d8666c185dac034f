/** Reads a row of the table of runs into a run, and a run's changes into columns. */
import { z } from "zod";
import type { Usage } from "../../domain/agent/events.ts";
import type { Allowance } from "../../domain/publish/allowance.ts";
import { FAILURE_CODES, type Failure } from "../../domain/run/failure.ts";
import type { PatchStat, Run, RunNote, RunOptions } from "../../domain/run/run.ts";
import { isEnded, RUN_OUTCOMES, RUN_PHASES, RUN_STATUSES, type RunKind } from "../../domain/run/state.ts";
import {
  changedColumns,
  jsonColumn,
  jsonObject,
  rowReader,
  settingsObject,
  timeColumn,
  toJson,
  toJsonOrNull,
  toTimeOrNull,
} from "../schema/row.ts";
import type { RunsTable } from "../schema/schema.ts";

/** The fields of a run that may change during it; absent keys stay as they are. */
export type RunChange = Partial<
  Pick<
    Run,
    | "instruction"
    | "outcome"
    | "failure"
    | "startSha"
    | "tree"
    | "commit"
    | "summary"
    | "usage"
    | "patch"
    | "isolation"
    | "isolationReason"
    | "notes"
    | "held"
    | "options"
    | "resumeAt"
    | "startedAt"
    | "agentStartedAt"
    | "endedAt"
  >
>;

/** The statuses of a run that may still move. */
export const UNFINISHED = RUN_STATUSES.filter((status) => !isEnded(status));

export function columnsOfChange(change: RunChange): Partial<RunsTable> {
  return changedColumns<RunChange, Partial<RunsTable>>(change, {
    instruction: (instruction) => ({ instruction }),
    outcome: (outcome) => ({ outcome }),
    failure: (failure) => ({ failure: toJsonOrNull(failure) }),
    startSha: (start_sha) => ({ start_sha }),
    tree: (tree) => ({ tree }),
    commit: (commit_sha) => ({ commit_sha }),
    summary: (summary) => ({ summary }),
    usage: (usage) => ({ usage: toJsonOrNull(usage) }),
    patch: (patch) => ({ patch: toJsonOrNull(patch) }),
    isolation: (isolation) => ({ isolation }),
    isolationReason: (isolation_reason) => ({ isolation_reason }),
    notes: (notes) => ({ notes: toJson(notes) }),
    held: (held) => ({ held }),
    options: (options) => ({ options: toJson(options) }),
    resumeAt: (at) => ({ resume_at: toTimeOrNull(at) }),
    startedAt: (at) => ({ started_at: toTimeOrNull(at) }),
    agentStartedAt: (at) => ({ agent_started_at: toTimeOrNull(at) }),
    endedAt: (at) => ({ ended_at: toTimeOrNull(at) }),
  });
}

const failure: z.ZodType<Failure> = z.object({
  code: z.enum(FAILURE_CODES),
  message: z.string(),
  remedy: z.string(),
  details: jsonObject,
});

const usage: z.ZodType<Usage> = z.object({
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
  costEstimated: z.boolean(),
});

const patchStat: z.ZodType<PatchStat> = z.object({
  files: z.number(),
  additions: z.number(),
  deletions: z.number(),
});

const note: z.ZodType<RunNote> = z.object({ code: z.string(), message: z.string(), details: jsonObject });

const allowance: z.ZodType<Allowance> = z.object({
  by: z.string(),
  reason: z.string(),
  findings: z.array(
    z.object({
      rule: z.string(),
      path: z.string(),
      line: z.number().nullable(),
      blob: z.string().nullable(),
    }),
  ),
  checks: z.array(z.string()),
});

/** Every key by name, so that a new option of the domain cannot be forgotten here. */
const optionKeys = {
  fromShell: z.boolean().exactOptional(),
  mergeBase: z.boolean().exactOptional(),
  resolve: z.enum(["first", "only"]).exactOptional(),
  fromWorktree: z.boolean().exactOptional(),
  message: z.string().exactOptional(),
  retryOf: z.string().exactOptional(),
  allowance: allowance.exactOptional(),
  restarts: z.number().exactOptional(),
  budgetUsd: z.number().exactOptional(),
  settings: settingsObject.exactOptional(),
} satisfies { readonly [Key in keyof Required<RunOptions>]: z.ZodType };

const options: z.ZodType<RunOptions> = z.object(optionKeys);

const columns = z.object({
  id: z.string(),
  attempt_id: z.string(),
  number: z.number().int(),
  kind: z.enum(["agent", "commit", "publish"] satisfies RunKind[]),
  instruction: z.string(),
  status: z.enum(RUN_STATUSES),
  phase: z.enum(RUN_PHASES).nullable(),
  outcome: z.enum(RUN_OUTCOMES).nullable(),
  failure: jsonColumn(failure).nullable(),
  stop_request: z.enum(["stop", "cancel"]).nullable(),
  start_sha: z.string().nullable(),
  tree: z.string().nullable(),
  commit_sha: z.string().nullable(),
  summary: z.string().nullable(),
  usage: jsonColumn(usage).nullable(),
  patch: jsonColumn(patchStat).nullable(),
  isolation: z.enum(["sandbox", "guard", "none"]).nullable(),
  isolation_reason: z.string().nullable(),
  notes: jsonColumn(z.array(note)),
  offline: z.boolean(),
  held: z.boolean(),
  options: jsonColumn(options),
  resume_at: timeColumn.nullable(),
  created_at: timeColumn,
  started_at: timeColumn.nullable(),
  agent_started_at: timeColumn.nullable(),
  ended_at: timeColumn.nullable(),
  lease_owner: z.string().nullable(),
  lease_epoch: z.number().int(),
  lease_until: timeColumn.nullable(),
});

export const toRun = rowReader<Run>({
  table: "runs",
  id: (row) => String(row.id),
  schema: columns.transform((row) => ({
    id: row.id,
    attemptId: row.attempt_id,
    number: row.number,
    kind: row.kind,
    instruction: row.instruction,
    status: row.status,
    phase: row.phase,
    outcome: row.outcome,
    failure: row.failure,
    stopRequest: row.stop_request,
    startSha: row.start_sha,
    tree: row.tree,
    commit: row.commit_sha,
    summary: row.summary,
    usage: row.usage,
    patch: row.patch,
    isolation: row.isolation,
    isolationReason: row.isolation_reason,
    notes: row.notes,
    offline: row.offline,
    held: row.held,
    options: row.options,
    resumeAt: row.resume_at,
    createdAt: row.created_at,
    startedAt: row.started_at,
    agentStartedAt: row.agent_started_at,
    endedAt: row.ended_at,
    lease:
      row.lease_owner === null || row.lease_until === null
        ? null
        : { owner: row.lease_owner, epoch: row.lease_epoch, until: row.lease_until },
  })),
});
