/** Describes the endpoints of pull requests: opening them, and showing what is known of them. */
import { z } from "zod";
import { FORGE_CODES } from "../codes.ts";
import { openedPullRequest, pullRequestDocument, pullRequestSummary } from "../pull-request-document.ts";
import type { Endpoints } from "./endpoint.ts";
import { listOf, nothing, pageQuery, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

const openRequest = z.strictObject({
  /** Null: Tazuna's own words, unless a person changed them there. */
  title: text.max(1000, "must have at most 1000 characters").nullable().default(null),
  body: z.string().max(60_000, "must have at most 60000 characters").nullable().default(null),
  draft: z.boolean().default(false),
});

const replyRequest = z.strictObject({
  /** The id of a review thread; null: the whole pull request. */
  thread: text.max(200).nullable().default(null),
  body: text.max(60_000, "must have at most 60000 characters"),
});

const typed = {
  /** The message of the commit that is still to be made. */
  message: z.string().nullable(),
  title: z.string().nullable(),
  body: z.string().nullable(),
  draft: z.boolean().nullable(),
};

/** Absent: as it is; null: thrown away. */
const draftRequest = z.strictObject({
  message: z.string().max(20_000, "must have at most 20000 characters").nullable().optional(),
  title: z.string().max(1000, "must have at most 1000 characters").nullable().optional(),
  body: z.string().max(60_000, "must have at most 60000 characters").nullable().optional(),
  draft: z.boolean().nullable().optional(),
});

const previewAnswer = z.object({
  title: z.string(),
  body: z.string(),
  /** Words of people on the forge that would stay as they are there. */
  keeps: z.object({ title: z.boolean(), body: z.boolean() }),
  base: z.string().nullable(),
  head: z.string(),
  draft: z.boolean(),
  /** Why none can be opened now; null if one can. */
  refusal: z.object({ code: z.string(), message: z.string(), remedy: z.string() }).nullable(),
  /** The one that is there, or is still to be made. */
  pull_request: pullRequestSummary.nullable(),
  /** Where that one stands, in words. */
  merge: z.string().nullable(),
  /** Of the newest commit; `sha` is null if it is still to be made, and the trailer of its run may change. */
  commit: z.object({ sha: z.string().nullable(), message: z.string() }).nullable(),
  /** What a person typed and nothing has used yet; the words above are those of Tazuna. */
  typed: z.object(typed),
});
export type PreviewAnswer = z.infer<typeof previewAnswer>;

export const PULL_REQUEST_ENDPOINTS = {
  openPullRequest: {
    ...ROUTES.openPullRequest,
    summary: "Opens the pull request of an attempt, links the one that is there, or brings it up to date.",
    request: openRequest,
    answer: openedPullRequest,
    codes: [
      ...FORGE_CODES,
      "not_found",
      "ambiguous_id",
      "attempt_canceled",
      "base_not_a_branch",
      "nothing_to_push",
      "not_pushed",
      "check_failed",
      "git_failed",
    ],
  },
  previewPullRequest: {
    ...ROUTES.previewPullRequest,
    summary: "Shows what opening the pull request would send with its defaults, and the commit message.",
    request: nothing,
    answer: previewAnswer,
    codes: ["not_found"],
  },
  pullRequests: {
    ...ROUTES.pullRequests,
    summary: "Lists the pull requests that are followed, the newest first.",
    request: pageQuery,
    answer: listOf(pullRequestDocument),
    codes: ["bad_cursor"],
  },
  pullRequest: {
    ...ROUTES.pullRequest,
    summary: "Shows a pull request by its id or its attempt's, with checks and review threads.",
    request: nothing,
    answer: pullRequestDocument,
    codes: ["not_found", "ambiguous_id"],
  },
  reply: {
    ...ROUTES.reply,
    summary: "Writes a person's words on the pull request, in a review thread or on the whole, once.",
    request: replyRequest,
    answer: pullRequestDocument,
    codes: [...FORGE_CODES, "not_found", "ambiguous_id", "no_pull_request"],
  },
  keepShipDraft: {
    ...ROUTES.keepShipDraft,
    summary:
      "Keeps the words of a commit that is still to be made, and of a pull request still to be opened.",
    request: draftRequest,
    answer: z.object({ typed: z.object(typed) }),
    codes: ["not_found", "nothing_to_commit"],
  },
  forgeWebhook: {
    ...ROUTES.forgeWebhook,
    summary: "Tells that something happened on a forge, which is then asked; signed with the secret of both.",
    request: z.looseObject({}),
    answer: z.object({ taken: z.literal(true) }),
    codes: ["webhook_off", "webhook_refused"],
  },
} as const satisfies Endpoints;
