/** Writes a comment of ours on GitLab, once. */
import { markComment } from "../../domain/pull-request/own-comment.ts";
import type { NewComment } from "../forge.ts";
import { failureIn } from "../http/forge-failure.ts";
import { listDiscussions } from "./discussions.ts";
import type { GitLabClient } from "./gitlab-client.ts";
import { placeOf } from "./merge-requests.ts";
import { withoutActions } from "./quick-actions.ts";

/** A discussion is answered in it; everything else beside it. */
export async function addNote(
  client: GitLabClient,
  number: number,
  { body, thread }: NewComment,
): Promise<void> {
  const [, discussion] = /^discussion:(\w+)$/.exec(thread ?? "") ?? [];
  const isThere = async () => {
    const threads = await listDiscussions(client, number);
    const place = threads.filter(({ id, path }) =>
      discussion === undefined ? path === null : id === thread,
    );
    return place.some(({ comments }) => comments.some((one) => one.ours && one.body === body));
  };
  if (await isThere()) return;
  const place = await placeOf(client, number);
  const path = discussion === undefined ? `${place}/notes` : `${place}/discussions/${discussion}/notes`;
  try {
    await client.send("POST", path, { body: markComment(withoutActions(body)) });
  } catch (thrown) {
    // The answer was lost, perhaps not the comment.
    if (failureIn(thrown)?.isOpen !== true || !(await isThere().catch(() => false))) throw thrown;
  }
}
