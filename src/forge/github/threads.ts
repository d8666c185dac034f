/** Gathers what people wrote about a pull request on GitHub: threads on lines, reviews, and the conversation. */
import { z } from "zod";
import { readComment } from "../../domain/pull-request/own-comment.ts";
import type { ReviewComment, ReviewThread } from "../../domain/pull-request/pull-request.ts";
import { failureIn } from "../http/forge-failure.ts";
import { readShape } from "../http/read-shape.ts";
import type { GitHubClient } from "./github-client.ts";
import { RESOLUTIONS } from "./queries.ts";

export async function listThreads(client: GitHubClient, number: number): Promise<readonly ReviewThread[]> {
  const place = { ...client.repository, per_page: 100 };
  const pull = { ...place, pull_number: number };
  const [onLines, reviews, conversation] = await Promise.all([
    client.paginate(client.rest.pulls.listReviewComments, pull),
    client.paginate(client.rest.pulls.listReviews, pull),
    client.paginate(client.rest.issues.listComments, { ...place, issue_number: number }),
  ]);
  const comments = readShape(z.array(lineComment), onLines, "review comments");
  const resolved = comments.length === 0 ? new Map() : await resolutions(client, number);
  return [
    ...lineThreads(comments, resolved),
    ...readShape(z.array(review), reviews, "reviews")
      .filter(({ body, submitted_at }) => body !== "" && submitted_at !== undefined)
      .map((one) => about(`review:${one.id}`, { ...one, created_at: one.submitted_at ?? "" })),
    ...readShape(z.array(comment), conversation, "comments").map((one) => about(`comment:${one.id}`, one)),
  ];
}

const comment = z.object({
  id: z.int(),
  body: z.string().default(""),
  user: z.object({ login: z.string() }).nullable(),
  html_url: z.string(),
  created_at: z.string(),
});
const review = comment.omit({ created_at: true }).extend({ submitted_at: z.string().optional() });
const lineComment = comment.extend({
  in_reply_to_id: z.int().optional(),
  path: z.string(),
  line: z.int().nullish(),
  original_line: z.int().nullish(),
  side: z.enum(["LEFT", "RIGHT"]).optional(),
  subject_type: z.string().optional(),
});

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

/** Replies name the first comment of their thread. */
function lineThreads(
  all: readonly z.output<typeof lineComment>[],
  resolved: ReadonlyMap<number, boolean>,
): readonly ReviewThread[] {
  const byFirst = Map.groupBy(all, (one) => one.in_reply_to_id ?? one.id);
  return [...byFirst].flatMap(([id, comments]) => {
    const [first] = comments;
    if (first === undefined) return [];
    return {
      id: `line:${id}`,
      path: first.path,
      line: first.line ?? first.original_line ?? null,
      side: first.side === "LEFT" ? "old" : "new",
      resolved: resolved.get(id) ?? null,
      // GitHub forgets the line once the code under it has changed.
      outdated: first.subject_type !== "file" && (first.line ?? null) === null,
      url: first.html_url,
      comments: comments.map((one) => commentOf(`line:${one.id}`, one)),
    };
  });
}

const resolutionPage = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
        nodes: z.array(
          z.object({
            isResolved: z.boolean(),
            comments: z.object({ nodes: z.array(z.object({ fullDatabaseId: z.coerce.number() })) }),
          }),
        ),
      }),
    }),
  }),
});

/** By the id of a thread's first comment. Only GraphQL knows it; without leave to ask, nothing is known. */
async function resolutions(client: GitHubClient, number: number): Promise<ReadonlyMap<number, boolean>> {
  const found = new Map<number, boolean>();
  let after: string | null = null;
  try {
    do {
      const answer: unknown = await client.graphql(RESOLUTIONS, { ...client.repository, number, after });
      const { pageInfo, nodes } = readShape(resolutionPage, answer, "threads").repository.pullRequest
        .reviewThreads;
      for (const { isResolved, comments } of nodes)
        for (const { fullDatabaseId } of comments.nodes) found.set(fullDatabaseId, isResolved);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
  } catch (thrown) {
    const code = failureIn(thrown)?.error.code;
    if (code !== "forge_forbidden" && code !== "forge_refused" && code !== "forge_not_found") throw thrown;
  }
  return found;
}
