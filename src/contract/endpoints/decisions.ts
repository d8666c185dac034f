/** Describes the endpoints with which people decide between attempts: compare, choose, fork, compose. */
import { z } from "zod";
import { originSchema } from "../../domain/attempt/origin.ts";
import { decisionSchema, evidenceSchema } from "../../domain/decision/decision.ts";
import { documentOf } from "../document-of.ts";
import { taskDocument, taskHead } from "../task-document.ts";
import { changedFile } from "./attempts.ts";
import type { Endpoints } from "./endpoint.ts";
import { flag, listOf, pageQuery, settings, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

export const evidenceFields = evidenceSchema.shape;
export const decisionFields = decisionSchema.shape;
const decisionDocument = z.object(documentOf(decisionFields));
export type DecisionDocument = z.infer<typeof decisionDocument>;

/** What an attempt began with. Who worked on that is not in it: names may be hidden. */
export const madeOfFields = {
  act: originSchema.shape.act,
  sources: z.array(
    originSchema.shape.sources.element.pick({ attemptId: true, runId: true, paths: true, files: true }),
  ),
};

const comparedAttempt = z.object({
  ...documentOf(evidenceFields),
  /** A, B, C… The same for as long as the task exists. */
  letter: z.string(),
  chosen: z.boolean(),
  /** The work of other attempts that it began with; null if it began at its base alone. */
  origin: z.object(documentOf(madeOfFields)).nullable(),
  /** The first thousand files that it touched; null if they are not known. */
  changed: z.array(changedFile).nullable(),
  /** With each other attempt. Null if the files of one of the two are not known. */
  overlap: z.array(
    z.object({
      attempt: z.string(),
      files: z.number().nullable(),
      /** In how many of them both left the same. */
      identical: z.number().nullable(),
      /** The first thousand. */
      paths: z.array(z.object({ path: z.string(), identical: z.boolean() })).nullable(),
    }),
  ),
});

const comparison = z.object({ task: taskHead, attempts: z.array(comparedAttempt) });
export type ComparisonDocument = z.infer<typeof comparison>;

const chooseRequest = z.strictObject({
  attempt: text,
  reason: z.string().max(4000, "must have at most 4000 characters"),
  /** What would make us take the decision back. */
  tripwire: z.string().max(4000, "must have at most 4000 characters").nullable().default(null),
  /** Cancels the other attempts: each goes into the trash, after a snapshot. */
  trash_others: z.boolean().default(false),
  /** The id of the decision that holds now, null for none. If another one holds, nothing is stored. */
  replaces: text.nullable().optional(),
});

const composeRequest = z.strictObject({
  take: z
    .array(
      z.strictObject({
        attempt: text,
        /** A file or a folder, from the top of the repository; `.` for everything that the attempt changed. */
        path: z.string().min(1).max(4096, "must have at most 4096 characters"),
        /** Only these hunks of the file, counted from 1 as `GET /attempts/ID/diff?path=P` shows them. */
        hunks: z.array(z.number().int().positive()).min(1).max(10_000).nullable().default(null),
        /** The commit of the attempt that the caller looked at. If it is at another tree now, nothing is made. */
        expect: z
          .string()
          .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "must be the full id of a commit or tree")
          .nullable()
          .default(null),
      }),
    )
    .min(1)
    .max(2000),
  settings: settings.default({}),
});
export type ComposeRequest = z.input<typeof composeRequest>;

const forkRequest = z.strictObject({
  /** An agent's id. */
  agent: z.union([text, z.strictObject({ id: text, model: text.nullable().default(null) })]),
  /** What the agent is to do; null: the issue of the task. */
  instruction: z.string().nullable().default(null),
  settings: settings.default({}),
});

export const DECISION_ENDPOINTS = {
  compare: {
    ...ROUTES.compare,
    summary: "Compares the attempts of a task.",
    request: z.strictObject({
      /** Leaves out agent, model and usage until one is chosen, and sorts by letter. */
      hide_names: flag.default(false),
    }),
    answer: comparison,
    codes: ["not_found"],
  },
  compose: {
    ...ROUTES.compose,
    summary: "Adds an attempt that is put together of files and hunks of several attempts.",
    request: composeRequest,
    answer: taskDocument,
    codes: [
      "not_found",
      "another_task",
      "run_not_ended",
      "nothing_to_take",
      "no_tree",
      "unusable_path",
      "file_not_changed",
      "hunk_missing",
      "changed_meanwhile",
      "submodule_changed",
      "does_not_fit",
      "bad_configuration",
      "scripts_not_trusted",
      "git_failed",
    ],
  },
  fork: {
    ...ROUTES.fork,
    summary: "Adds an attempt that begins with the files that a run left.",
    request: forkRequest,
    answer: taskDocument,
    codes: [
      "not_found",
      "run_not_ended",
      "no_tree",
      "submodule_changed",
      "unknown_agent",
      "agent_without_command",
      "bad_configuration",
      "scripts_not_trusted",
      "git_failed",
    ],
  },
  choose: {
    ...ROUTES.choose,
    summary: "Chooses an attempt of its task. The earlier decision stays as history.",
    request: chooseRequest,
    answer: z.object({ decision: decisionDocument }),
    codes: [
      "not_found",
      "reason_missing",
      "attempt_canceled",
      "attempt_removed",
      "branch_unknown",
      "decision_changed",
    ],
  },
  decisions: {
    ...ROUTES.decisions,
    summary: "Lists decisions, the newest first, with those that were replaced.",
    request: pageQuery.extend({ task: text.nullable().default(null) }),
    answer: listOf(decisionDocument),
    codes: ["bad_cursor"],
  },
} as const satisfies Endpoints;
