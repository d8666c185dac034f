/** Gathers what people wrote about a pull request on Gitea: comments on lines, reviews, and the conversation. */
import { z } from "zod";
import { readComment } from "../../domain/pull-request/own-comment.ts";
import type { ReviewComment, ReviewThread } from "../../domain/pull-request/pull-request.ts";
import { readShape } from "../http/read-shape.ts";
import { type GiteaClient, PAGE } from "./gitea-client.ts";

export async function listThreads(client: GiteaClient, number: number): Promise<readonly ReviewThread[]> {
  const pull = `${client.place}/pulls/${number}`;
  const [given, conversation] = await Promise.all([
    client.all(`${pull}/reviews`, { limit: PAGE }),
    client.all(`${client.place}/issues/${number}/comments`),
  ]);
  const reviews = readShape(z.array(review), given, "reviews").filter(({ state }) => !UNSAID.has(state));
  const onLines: LineComment[] = [];
  for (const { id, comments_count } of reviews)
    if (comments_count > 0) {
      const some = await client.all(`${pull}/reviews/${id}/comments`);
      onLines.push(...readShape(z.array(lineComment), some, "review comments"));
    }
  return [
    ...lineThreads(onLines.sort((one, other) => one.id - other.id)),
    ...reviews
      .filter(({ body }) => body !== "")
      .map((one) => about(`review:${one.id}`, { ...one, created_at: one.submitted_at })),
    ...readShape(z.array(comment), conversation, "comments").map((one) => about(`comment:${one.id}`, one)),
  ];
}

/** Not sent yet, or no words at all. */
const UNSAID = new Set(["PENDING", "REQUEST_REVIEW"]);

const user = z.object({ login: z.string() }).nullish();
const comment = z.object({
  id: z.int(),
  body: z.string(),
  user,
  html_url: z.string(),
  created_at: z.string(),
});
const review = comment.omit({ created_at: true }).extend({
  state: z.string(),
  submitted_at: z.string(),
  comments_count: z.int(),
});
const lineComment = comment.extend({
  pull_request_review_id: z.int(),
  path: z.string(),
  /** Lines: after the change, and before it. The one that is not meant is 0. */
  position: z.int().default(0),
  original_position: z.int().default(0),
  resolver: user,
});
type LineComment = z.output<typeof lineComment>;

/** About the pull request as a whole. */
function about(id: string, one: z.output<typeof comment>): ReviewThread {
  return {
    id,
    path: null,
    line: null,
    side: null,
    resolved: null,
    outdated: false,
    url: one.html_url,
    comments: [commentOf(id, one)],
  };
}

function commentOf(id: string, one: z.output<typeof comment>): ReviewComment {
  return { id, author: one.user?.login ?? null, at: one.created_at, ...readComment(one.body) };
}

/** Those of one review on one line; what Tazuna said on that line later answers the last of them. */
function lineThreads(all: readonly LineComment[]): readonly ReviewThread[] {
  const threads: { readonly place: string; readonly review: number; readonly comments: LineComment[] }[] = [];
  for (const one of all) {
    const place = JSON.stringify([one.path, one.position, one.original_position]);
    const { ours } = readComment(one.body);
    const known = threads.findLast(
      (thread) => thread.place === place && (ours || thread.review === one.pull_request_review_id),
    );
    if (known === undefined) threads.push({ place, review: one.pull_request_review_id, comments: [one] });
    else known.comments.push(one);
  }
  return threads.map(({ comments }) => threadOf(comments));
}

function threadOf(comments: readonly LineComment[]): ReviewThread {
  const first = comments[0] as LineComment;
  const isOld = first.position === 0 && first.original_position > 0;
  const line = isOld ? first.original_position : first.position;
  return {
    id: `line:${first.id}`,
    path: first.path,
    line: line === 0 ? null : line,
    side: line === 0 ? null : isOld ? "old" : "new",
    resolved: comments.some(({ resolver }) => resolver != null),
    // Gitea does not say.
    outdated: false,
    url: first.html_url,
    comments: comments.map((one) => commentOf(`line:${one.id}`, one)),
  };
}
