/** Describes the endpoints of comments on a patch: reviews by another agent, and what was said. */
import { z } from "zod";
import { placedCommentSchema } from "../../domain/comment/comment.ts";
import { NEW_RUN_CODES } from "../codes.ts";
import { documentOf } from "../document-of.ts";
import { taskDocument } from "../task-document.ts";
import type { Endpoints } from "./endpoint.ts";
import { listOf, nothing, settings, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

const MAX_WORDS = 20_000;
const MAX_LINES = 200;

export const commentFields = placedCommentSchema.shape;
const commentDocument = z.object(documentOf(commentFields));
export type CommentDocument = z.infer<typeof commentDocument>;

const body = text.max(MAX_WORDS, `must have at most ${MAX_WORDS} characters`);

const reviewRequest = z.strictObject({
  /** An agent's id. */
  agent: z.union([text, z.strictObject({ id: text, model: text.nullable().default(null) })]),
  /** What to look at; null for the whole patch. */
  instruction: body.nullable().default(null),
  settings: settings.default({}),
});

const lineNumber = z
  .number()
  .int("must be a whole number")
  .min(1, "must be 1 or more")
  .nullable()
  .default(null);

const newComment = z
  .strictObject({
    /** As the patch names the file. */
    path: z.string().min(1),
    /** Counts from 1 on its side; null for a comment on the whole file. */
    line: lineNumber,
    /** The last of several lines. */
    end_line: lineNumber,
    side: z.enum(["old", "new"]).default("new"),
    body,
  })
  .refine(({ line, end_line }) => end_line === null || (line !== null && line <= end_line), {
    path: ["end_line"],
    error: "must not be before the line",
  })
  .refine(({ line, end_line }) => (end_line ?? 0) - (line ?? 0) < MAX_LINES, {
    path: ["end_line"],
    error: `must be less than ${MAX_LINES} lines behind the line`,
  });

/** At least one of both. */
const commentChange = z
  .strictObject({
    body: body.nullable().default(null),
    /** Closes the thread, or opens it again. */
    resolved: z.boolean().nullable().default(null),
  })
  .refine((change) => change.body !== null || change.resolved !== null, "name the body or resolved");

export const COMMENT_ENDPOINTS = {
  review: {
    ...ROUTES.review,
    summary: "Lets another agent read the patch and comment on it; nothing is changed.",
    request: reviewRequest,
    answer: taskDocument,
    codes: [...NEW_RUN_CODES, "no_worktree", "nothing_to_review", "unknown_agent", "agent_without_command"],
  },
  comments: {
    ...ROUTES.comments,
    summary: "Lists the comments on an attempt's patch, the oldest first, at their place in the patch now.",
    request: nothing,
    answer: listOf(commentDocument),
    codes: ["not_found"],
  },
  addComment: {
    ...ROUTES.addComment,
    summary: "Keeps a person's comment on a patch as a draft, until a follow-up sends it.",
    request: newComment,
    answer: commentDocument,
    codes: ["not_found", "file_not_changed", "line_out_of_range", "git_failed"],
  },
  changeComment: {
    ...ROUTES.changeComment,
    summary: "Gives a draft other words, closes a thread, or opens it again.",
    request: commentChange,
    answer: commentDocument,
    codes: ["not_found", "comment_fixed"],
  },
  removeComment: {
    ...ROUTES.removeComment,
    summary: "Deletes a draft, and answers with what it was.",
    request: nothing,
    answer: commentDocument,
    codes: ["not_found", "comment_fixed"],
  },
} as const satisfies Endpoints;
