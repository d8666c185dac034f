/** Describes the endpoints that bring an attempt's work into the user's own branches and checkout. */
import { z } from "zod";
import { AGENT_CODES, FETCH_CODES, FORGE_CODES } from "../codes.ts";
import { taskDocument } from "../task-document.ts";
import { changedFile } from "./attempts.ts";
import type { Endpoints } from "./endpoint.ts";
import { nothing, settings, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

const mergeRequest = z.strictObject({
  /** One plain commit instead of a merge commit. */
  squash: z.boolean().default(false),
  /** If the target is checked out, merges it with its files there, if that checkout is clean. */
  here: z.boolean().default(false),
});

const mergeAnswer = z.object({
  merge: z.object({
    /** The short name of the branch. */
    target: z.string(),
    /** The commit of the target that brought it in. */
    commit: z.string(),
    by: z.enum(["tazuna", "forge", "person"]),
    /** The target against the same branch of the remote, as it was last seen; null if there is none. */
    remote: z
      .object({ name: z.string(), branch: z.string(), ahead: z.number(), behind: z.number() })
      .nullable(),
    /** Absolute path of the repository. */
    repository: z.string(),
  }),
});
export type MergeDocument = z.infer<typeof mergeAnswer>["merge"];

const revertRequest = z.strictObject({
  /** Who gets the files that git cannot revert alone; null: those refuse it. */
  agent: text.nullable().default(null),
  settings: settings.default({}),
});

const applyAnswer = z.object({
  files: z.array(changedFile),
  /** Absolute path of the checkout. */
  path: z.string(),
});
export type ApplyDocument = z.infer<typeof applyAnswer>;

export const LANDING_ENDPOINTS = {
  merge: {
    ...ROUTES.merge,
    summary: "Merges an attempt into the local branch that it began from.",
    request: mergeRequest,
    answer: mergeAnswer,
    codes: [
      ...FETCH_CODES,
      "not_found",
      "attempt_canceled",
      "attempt_busy",
      "run_not_ended",
      "bad_configuration",
      "check_failed",
      "gate_rejected",
      "nothing_to_merge",
      "merge_conflict",
      "target_missing",
      "target_checked_out",
      "target_moved",
      "checkout_not_clean",
      "signing_failed",
      "merge_failed",
      "pull_request_moved",
      ...FORGE_CODES,
      "git_failed",
    ],
  },
  apply: {
    ...ROUTES.apply,
    summary: "Puts an attempt's patch into the user's checkout, as uncommitted changes.",
    request: nothing,
    answer: applyAnswer,
    codes: [
      "not_found",
      "attempt_canceled",
      "run_not_ended",
      "nothing_to_merge",
      "nothing_to_apply",
      "no_checkout",
      "checkout_not_clean",
      "merge_conflict",
      "outside_sparse",
      "submodule_changed",
      "apply_failed",
      "git_failed",
    ],
  },
  revert: {
    ...ROUTES.revert,
    summary: "Adds an attempt to the task whose commit takes back what was merged of this one.",
    request: revertRequest,
    answer: taskDocument,
    codes: [
      "not_found",
      "not_merged",
      "revert_conflict",
      ...AGENT_CODES,
      "bad_configuration",
      "scripts_not_trusted",
      "git_failed",
    ],
  },
} as const satisfies Endpoints;
