/** Describes the endpoints of the journal: the facts as they are written, the operations, and undo. */
import { z } from "zod";
import { factSchema, operationSchema } from "../../domain/operation.ts";
import { OPERATION_GROUPS } from "../../domain/operation-group.ts";
import { REPOSITORY_CODES } from "../codes.ts";
import { documentOf } from "../document-of.ts";
import type { Endpoints } from "./endpoint.ts";
import { flag, listOf, nothing, pageQuery, path, text, wholeNumber } from "./fields.ts";
import { ROUTES } from "./routes.ts";

export const factFields = factSchema.shape;
const factDocument = z.object(documentOf(factFields));
export type FactDocument = z.infer<typeof factDocument>;

export const operationFields = operationSchema.shape;
const operationDocument = z.object(documentOf(operationFields));
export type OperationDocument = z.infer<typeof operationDocument>;

export const operationAnswer = z.object({ operation: operationDocument });

export const OPERATION_ENDPOINTS = {
  followFacts: {
    ...ROUTES.followFacts,
    summary: "Streams every fact after a number, in order.",
    request: z.strictObject({ after: wholeNumber.nullable().default(null) }),
    answer: factDocument,
    codes: [],
  },
  operations: {
    ...ROUTES.operations,
    summary: "Lists every act on git and on worktrees, the newest first.",
    request: pageQuery.extend({
      subject: text.nullable().default(null),
      repository: path.nullable().default(null),
      kind: text.nullable().default(null),
      /** `stepped`: what Tazuna put back, and what others did. */
      group: z.enum(OPERATION_GROUPS).nullable().default(null),
      /** Only what can be undone now. */
      undoable: flag.default(false),
      /** Words that are all in its kind, its subject or its states. */
      text: text.max(200).nullable().default(null),
      /** Kinds besides, joined by commas: those that your own words for `text` mean. */
      named: z.string().max(2_000).default(""),
      failed: flag.default(false),
      since: z.iso.datetime().nullable().default(null),
    }),
    answer: listOf(operationDocument),
    codes: ["bad_cursor", ...REPOSITORY_CODES],
  },
  undo: {
    ...ROUTES.undo,
    summary: "Takes an operation back, if what it did is still as it was left.",
    request: nothing,
    answer: operationAnswer,
    codes: [
      "not_found",
      "ambiguous_id",
      "not_undoable",
      "decision_changed",
      "attempt_busy",
      "already_pushed",
      "ref_moved_on",
      "branch_checked_out",
      "undo_failed",
      "no_tree",
      "no_worktree",
      "not_contained",
      "restore_failed",
      "attempt_open",
      "not_cleaned_up",
      "not_in_trash",
      "held_elsewhere",
      "entry_replaced",
      "path_taken",
      "run_not_ended",
    ],
  },
} as const satisfies Endpoints;
