/** Writes a comment of ours on Gitea, once. */
import { markComment } from "../../domain/pull-request/own-comment.ts";
import type { NewComment } from "../forge.ts";
import { failureIn } from "../http/forge-failure.ts";
import type { GiteaClient } from "./gitea-client.ts";
import { listThreads } from "./threads.ts";

/** The API cannot answer a comment: a thread on a line is answered by a review of one comment on that line. */
export async function addComment(
  client: GiteaClient,
  number: number,
  { body, thread }: NewComment,
): Promise<void> {
  const threads = await listThreads(client, number);
  const on = threads.find(({ id, path }) => path !== null && id === thread) ?? null;
  const isIn = (all: typeof threads) =>
    all
      .filter(({ id, path }) => (on === null ? path === null : id === on.id))
      .some(({ comments }) => comments.some((one) => one.ours && one.body === body));
  if (isIn(threads)) return;
  const text = markComment(body);
  try {
    if (on === null) await client.send("POST", `${client.place}/issues/${number}/comments`, { body: text });
    else
      await client.send("POST", `${client.place}/pulls/${number}/reviews`, {
        event: "COMMENT",
        comments: [
          {
            path: on.path,
            body: text,
            new_position: on.side === "new" ? on.line : 0,
            old_position: on.side === "old" ? on.line : 0,
          },
        ],
      });
  } catch (thrown) {
    // The answer was lost, perhaps not the comment.
    const isThere = async () => isIn(await listThreads(client, number));
    if (failureIn(thrown)?.isOpen !== true || !(await isThere().catch(() => false))) throw thrown;
  }
}
