/** Writes a comment of ours on GitHub, once. */
import { markComment } from "../../domain/pull-request/own-comment.ts";
import type { NewComment } from "../forge.ts";
import { failureIn } from "../http/forge-failure.ts";
import type { GitHubClient } from "./github-client.ts";
import { listThreads } from "./threads.ts";

/** A thread on a line is answered in it; everything else in the conversation. */
export async function addComment(
  client: GitHubClient,
  number: number,
  { body, thread }: NewComment,
): Promise<void> {
  const [, line] = /^line:(\d+)$/.exec(thread ?? "") ?? [];
  const isThere = async () => {
    const threads = await listThreads(client, number);
    const place = threads.filter(({ id, path }) => (line === undefined ? path === null : id === thread));
    return place.some(({ comments }) => comments.some((one) => one.ours && one.body === body));
  };
  if (await isThere()) return;
  const text = markComment(body);
  try {
    if (line === undefined)
      await client.rest.issues.createComment({ ...client.repository, issue_number: number, body: text });
    else
      await client.rest.pulls.createReplyForReviewComment({
        ...client.repository,
        pull_number: number,
        comment_id: Number(line),
        body: text,
      });
  } catch (thrown) {
    // The answer was lost, perhaps not the comment.
    if (failureIn(thrown)?.isOpen !== true || !(await isThere().catch(() => false))) throw thrown;
  }
}
