/** Describes a pull request as JSON: in the answer of `pr`, in a list, and within its attempt. */
import { z } from "zod";
import { trackedSchema } from "../domain/pull-request/tracked.ts";
import { documentOf, without } from "./document-of.ts";

/** The six fields that scripts may rely on. All but the branches are null, or as asked for, until the forge has it. */
const headFields = {
  number: z.number().nullable(),
  url: z.string().nullable(),
  state: z.enum(["open", "closed", "merged"]).nullable(),
  /** The branch. */
  head: z.string(),
  base: z.string(),
  draft: z.boolean(),
};

/** The fields that are shown as they are. */
export const pullRequestFields = without(
  trackedSchema.shape,
  "head",
  "baseBranch",
  "wanted",
  "wrote",
  "handed",
  "quiet",
  "apiUrl",
);

/** What was sent to the agent as a follow-up. */
const tried = z.object({
  run: z.string(),
  at: z.string(),
  by: z.enum(["person", "loop"]),
  head: z.string(),
  checks: z.array(z.string()),
  comments: z.array(z.string()),
});

export const openedPullRequest = z.object({ pull_request: z.object(headFields) });

/** Within an attempt. */
export const pullRequestSummary = z.object({
  ...headFields,
  title: z.string(),
  /** The commit that the forge saw last. */
  head_commit: z.string().nullable(),
  mergeable: z.boolean().nullable(),
  merge_block: z.string().nullable(),
  failed_checks: z.array(z.string()),
  pending_checks: z.array(z.string()),
  /** Those that wait for an answer, with the beginning of the last comment. */
  open_threads: z.array(
    z.object({
      id: z.string(),
      path: z.string().nullable(),
      line: z.number().nullable(),
      url: z.string(),
      author: z.string().nullable(),
      words: z.string(),
    }),
  ),
  /** It is still to be made or changed there. */
  waits: z.boolean(),
  tried: z.array(tried),
  trouble: z.object({ code: z.string(), message: z.string(), resume_at: z.string().nullable() }).nullable(),
});
export type PullRequestSummary = z.infer<typeof pullRequestSummary>;

export const pullRequestDocument = z.object({
  ...documentOf(pullRequestFields),
  ...headFields,
  head_commit: z.string().nullable(),
  waits: z.boolean(),
  tried: z.array(tried),
});
export type PullRequestDocument = z.infer<typeof pullRequestDocument>;
