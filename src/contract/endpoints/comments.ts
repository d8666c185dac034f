/** Describes the endpoints of comments on a patch: reviews by another agent, and what was said. */
import { z } from "zod";
import { commentSchema } from "../../domain/comment/comment.ts";
import { NEW_RUN_CODES } from "../codes.ts";
import { documentOf } from "../document-of.ts";
import { taskDocument } from "../task-document.ts";
import type { Endpoints } from "./endpoint.ts";
import { listOf, nothing, settings, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

export const commentFields = commentSchema.shape;
const commentDocument = z.object(documentOf(commentFields));
export type CommentDocument = z.infer<typeof commentDocument>;

const reviewRequest = z.strictObject({
  /** An agent's id. */
  agent: z.union([text, z.strictObject({ id: text, model: text.nullable().default(null) })]),
  /** What to look at; null for the whole patch. */
  instruction: text.max(20_000, "must have at most 20000 characters").nullable().default(null),
  settings: settings.default({}),
});

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
    summary: "Lists the comments on an attempt's patch, the oldest first.",
    request: nothing,
    answer: listOf(commentDocument),
    codes: ["not_found"],
  },
} as const satisfies Endpoints;
