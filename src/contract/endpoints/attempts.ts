/** Describes the endpoints of attempts: sending follow-ups, publishing, and showing what changed. */
import { z } from "zod";
import { ATTEMPT_STATES } from "../../domain/attempt/attempt-state.ts";
import { FORGE_CODES, NEW_RUN_CODES, REPOSITORY_CODES } from "../codes.ts";
import { MAX_LINES } from "../limits.ts";
import { attemptAlone, taskDocument } from "../task-document.ts";
import type { Endpoints } from "./endpoint.ts";
import { listOf, narrowing, nothing, pageQuery, path, settings, text, wholeNumber } from "./fields.ts";
import { operationAnswer } from "./operations.ts";
import { ROUTES } from "./routes.ts";

const followUpRequest = z.strictObject({
  /** Null commits the person's own edits in the worktree, without an agent. */
  instruction: text.nullable().default(null),
  merge_base: z.boolean().default(false),
  /** The commit message of the person's own edits; only without an instruction. */
  message: text.max(20_000, "must have at most 20000 characters").nullable().default(null),
  /** Leaves the conflicts of the merge for the agent. Without an instruction it does nothing else. */
  resolve: z.boolean().default(false),
  /** Ids of comments on the patch, which are sent to the agent with their lines. */
  comments: z.array(text).max(200).default([]),
  /** Ids of review threads of its pull request, to be sent with it; empty: all that were not sent yet. */
  from_review: z.array(text.max(200)).max(200).nullable().default(null),
  /** Names of failed checks of its pull request; likewise. */
  from_checks: z.array(text.max(500)).max(200).nullable().default(null),
  settings: settings.default({}),
});
export type FollowUpRequest = z.input<typeof followUpRequest>;

const publishRequest = z.strictObject({
  /** Rule ids of findings, and `check:NAME` of required checks, as the last run showed them. */
  allow: z.array(text.max(200)).max(100).default([]),
  /** Why that may be published; required if `allow` is not empty. */
  reason: text.max(2000).nullable().default(null),
  /** Files of the last run's findings that stay in the worktree: they are left out of this commit and of later ones. */
  leave_out: z.array(z.string().min(1).max(4096)).max(1000).default([]),
  /** Pushes the commit under a branch name that the remote does not have; the attempt goes on under that. */
  another_branch: z.boolean().default(false),
  settings: settings.default({}),
});

const takeBackRequest = z
  .strictObject({
    /** Rule ids, and `check:NAME`, that a person allowed and no commit or push has used yet. */
    allow: z.array(text.max(200)).max(100).default([]),
    /** Files that were left out: they join the next commit. */
    leave_out: z.array(z.string().min(1).max(4096)).max(1000).default([]),
  })
  .refine(({ allow, leave_out }) => allow.length + leave_out.length > 0, "name what is taken back");

/** `files: "only"` lists the files in pages; `path` names one of them. */
export const ownDiffQuery = pageQuery.extend({
  files: z.literal("only").nullable().default(null),
  path: z.string().min(1).nullable().default(null),
});

const otherSide = {
  /** The attempt to compare it with. */
  other: text.nullable().default(null),
  /** A run of it: only what changed after that run. */
  since: text.nullable().default(null),
  /** A worker that came back: only what was edited there. */
  worker: text.nullable().default(null),
};
type OtherSide = {
  readonly other: string | null;
  readonly since: string | null;
  readonly worker: string | null;
};
const oneSide = ({ other, since, worker }: OtherSide) =>
  [other, since, worker].filter((side) => side !== null).length <= 1;
const ONE_SIDE = "name another attempt, a run or a worker, not several";

const diffQuery = ownDiffQuery.extend(otherSide).refine(oneSide, ONE_SIDE);

export const changedFile = z.object({
  path: z.string(),
  status: z.string(),
  /** Null for binary files. */
  additions: z.number().nullable(),
  deletions: z.number().nullable(),
});
export type ChangedFile = z.infer<typeof changedFile>;

const bytes = z.number().int().nullable();
const diffFile = changedFile.extend({
  /** Of a binary file: its bytes on both sides, null on a side without it. Null for text. */
  sizes: z.object({ before: bytes, after: bytes }).nullable(),
});
export type DiffFile = z.infer<typeof diffFile>;

export const diffAnswer = z.object({
  files: z.array(diffFile),
  patch: z.string(),
  /** Set if the patch is cut. */
  truncated: z.object({ shown_bytes: z.number(), bytes: z.number() }).optional(),
});

export const diffFilesAnswer = z.object({ files: z.array(diffFile), next: z.string().nullable() });
export type DiffFiles = z.infer<typeof diffFilesAnswer>;

const lineNumber = wholeNumber.refine((value) => value >= 1, "must be at least 1");
const fileSide = {
  /** A file that is changed there, by the name that the list of files has. */
  path,
  side: z.enum(["old", "new"]).default("new"),
};
export const ownPictureQuery = z.strictObject(fileSide);
const ownLines = {
  ...fileSide,
  from: lineNumber,
  to: lineNumber,
};
type LineRange = { readonly from: number; readonly to: number };
const isRange = ({ from, to }: LineRange) => to >= from && to - from < MAX_LINES;
const RANGE = `\`to\` must not be before \`from\`, and at most ${MAX_LINES} lines are sent`;

export const ownLinesQuery = z.strictObject(ownLines).refine(isRange, RANGE);

/** Lines of a changed file, without their ends. Beyond its last line there are none. */
export const linesAnswer = z.object({
  /** The blob, so that a caller can tell whether it is the one of its patch. */
  sha: z.string(),
  /** A long line is cut. */
  lines: z.array(z.string()),
  /** How many lines the file has. */
  total: z.number().int(),
});

export const ATTEMPT_ENDPOINTS = {
  attempts: {
    ...ROUTES.attempts,
    summary: "Lists attempts with their runs, the newest first.",
    request: pageQuery.extend({
      ...narrowing,
      state: z.enum(ATTEMPT_STATES).nullable().default(null),
    }),
    answer: listOf(attemptAlone),
    codes: ["bad_cursor", ...REPOSITORY_CODES],
  },
  attempt: {
    ...ROUTES.attempt,
    summary: "Shows an attempt with its runs.",
    request: nothing,
    answer: attemptAlone,
    codes: ["not_found", "ambiguous_id"],
  },
  followUp: {
    ...ROUTES.followUp,
    summary: "Sends a follow-up to the agent, or commits the person's own edits.",
    request: followUpRequest,
    answer: taskDocument,
    codes: [
      ...NEW_RUN_CODES,
      ...FORGE_CODES,
      "empty_instruction",
      "no_agent",
      "message_without_edits",
      "comment_elsewhere",
      "changed_meanwhile",
      "no_pull_request",
      "nothing_new",
    ],
  },
  publish: {
    ...ROUTES.publish,
    summary: "Pushes what is committed, or what the gate kept back and a person allows.",
    request: publishRequest,
    answer: taskDocument,
    codes: [
      ...NEW_RUN_CODES,
      "run_not_ended",
      "reason_missing",
      "unknown_rule",
      "nothing_to_allow",
      "never_published",
      "nothing_to_push",
      "check_failed",
      "options_conflict",
      "git_failed",
    ],
  },
  takeBack: {
    ...ROUTES.takeBack,
    summary: "Takes back what a person allowed or left out, as long as nothing has come of it.",
    request: takeBackRequest,
    answer: taskDocument,
    codes: ["not_found", "run_not_ended", "nothing_to_take_back"],
  },
  diffFiles: {
    ...ROUTES.diffFiles,
    summary: "Lists the changed files in pages.",
    request: diffQuery,
    answer: diffFilesAnswer,
    codes: ["bad_cursor", "not_found", "another_repository", "no_tree", "changed_meanwhile", "git_failed"],
  },
  diff: {
    ...ROUTES.diff,
    summary: "Shows what an attempt changed, also since one of its runs, or how it differs from another one.",
    request: diffQuery,
    answer: diffAnswer,
    codes: ["not_found", "another_repository", "no_tree", "file_not_changed", "git_failed"],
  },
  lines: {
    ...ROUTES.lines,
    summary: "Sends lines of a changed file, also those that the patch leaves out.",
    request: z
      .strictObject({ ...ownLines, ...otherSide })
      .refine(oneSide, ONE_SIDE)
      .refine(isRange, RANGE),
    answer: linesAnswer,
    codes: ["not_found", "another_repository", "no_tree", "file_not_changed", "git_failed"],
  },
  picture: {
    ...ROUTES.picture,
    summary: "Sends one side of a changed file that is a picture: png, jpeg, gif, webp or avif.",
    request: z.strictObject({ ...fileSide, ...otherSide }).refine(oneSide, ONE_SIDE),
    answer: z.string(),
    codes: ["not_found", "another_repository", "no_tree", "file_not_changed", "no_picture", "git_failed"],
  },
  patch: {
    ...ROUTES.patch,
    summary: "Sends the whole patch, byte for byte.",
    request: z.strictObject(otherSide).refine(oneSide, ONE_SIDE),
    answer: z.string(),
    codes: ["not_found", "another_repository", "no_tree", "nothing_left", "left_not_here", "git_failed"],
  },
  takeLeft: {
    ...ROUTES.takeLeft,
    summary: "Lays the edits of a worker that came back into the worktree, or drops that offer.",
    request: z.strictObject({ worker: text, discard: z.boolean().default(false) }),
    answer: z.object({ operation: operationAnswer.shape.operation.nullable() }),
    codes: [
      "not_found",
      "nothing_left",
      "left_not_here",
      "does_not_fit",
      "no_worktree",
      "held_elsewhere",
      "attempt_busy",
      "not_contained",
      "restore_failed",
    ],
  },
} as const satisfies Endpoints;
