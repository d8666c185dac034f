/** Describes the endpoints with which one of several attempts is chosen: comparison and decisions. */
import { z } from "zod";
import { decisionSchema, evidenceSchema } from "../../domain/decision/decision.ts";
import { documentOf } from "../document-of.ts";
import { taskHead } from "../task-document.ts";
import { changedFile } from "./attempts.ts";
import type { Endpoints } from "./endpoint.ts";
import { flag, listOf, pageQuery, text } from "./fields.ts";

export const evidenceFields = evidenceSchema.shape;
export const decisionFields = decisionSchema.shape;
const decisionDocument = z.object(documentOf(decisionFields));
export type DecisionDocument = z.infer<typeof decisionDocument>;

const comparedAttempt = z.object({
  ...documentOf(evidenceFields),
  /** A, B, C… The same for as long as the task exists. */
  letter: z.string(),
  chosen: z.boolean(),
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

export const DECISION_ENDPOINTS = {
  compare: {
    method: "GET",
    path: "/tasks/:id/compare",
    summary: "Compares the attempts of a task.",
    request: z.strictObject({
      /** Leaves out agent, model and usage until one is chosen, and sorts by letter. */
      hide_names: flag.default(false),
    }),
    answer: comparison,
    codes: ["not_found"],
  },
  choose: {
    method: "POST",
    path: "/decisions",
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
    creates: true,
  },
  decisions: {
    method: "GET",
    path: "/decisions",
    summary: "Lists decisions, the newest first, with those that were replaced.",
    request: pageQuery.extend({ task: text.nullable().default(null) }),
    answer: listOf(decisionDocument),
    codes: ["bad_cursor"],
  },
} as const satisfies Endpoints;
