/** Merges a merge request on GitLab, once. */
import type { ForgeError, MergeOptions } from "../forge.ts";
import { ForgeFailure, failureIn } from "../http/forge-failure.ts";
import { readShape } from "../http/read-shape.ts";
import type { GitLabClient } from "./gitlab-client.ts";
import {
  headOf,
  type MergeRequest,
  mergeCommitOf,
  mergeRequest,
  placeOf,
  readShown,
} from "./merge-requests.ts";

export async function mergeNow(
  client: GitLabClient,
  number: number,
  { sha, squash, title }: MergeOptions,
): Promise<{ readonly commit: string | null }> {
  try {
    const answer = await client.send("PUT", `${await placeOf(client, number)}/merge`, {
      sha,
      squash,
      should_remove_source_branch: false,
      ...(title === null ? {} : { [squash ? "squash_commit_message" : "merge_commit_message"]: title }),
    });
    const now = readShape(mergeRequest, answer, "a merge");
    if (now.state === "merged") return { commit: mergeCommitOf(now) };
    // GitLab answers 200 also if its merge came to nothing.
    throw new ForgeFailure(notMerged(now, now.merge_error ?? "it was not merged"));
  } catch (thrown) {
    const failure = failureIn(thrown);
    if (failure === null || !(failure.isOpen || REFUSALS.has(failure.error.status ?? 0))) throw thrown;
    const now = await readShown(client, number).catch(() => null);
    if (now === null) throw thrown;
    if (now.state === "merged" && headOf(now) === sha) return { commit: mergeCommitOf(now) };
    throw explained(failure, now);
  }
}

/** 401: this login may not merge; 405, 406 and 422: it cannot be merged now; 409: the head is another commit. */
const REFUSALS = new Set([200, 401, 405, 406, 409, 422]);

/** GitLab's own sentence says only "Method Not Allowed"; its status knows why. */
function explained(failure: ForgeFailure, now: MergeRequest): ForgeFailure {
  const { status } = failure.error;
  const why = now.detailed_merge_status ?? now.merge_status;
  if (status === 401)
    return new ForgeFailure({
      ...failure.error,
      code: "forge_forbidden",
      message: `${failure.error.message}. This login may read !${now.iid}, but not merge it.`,
    });
  if (status === 405 || status === 406 || status === 422)
    return new ForgeFailure(notMerged(now, `${failure.words} (${why})`, status));
  return failure;
}

/** Words of the status that change by themselves. */
const PASSING = new Set(["unchecked", "checking", "preparing", "approvals_syncing"]);

function notMerged(now: MergeRequest, why: string, status = 200): ForgeError {
  return {
    code: "forge_refused",
    message: `GitLab did not merge !${now.iid}: ${why}.`,
    status,
    resumeAt: null,
    transient: PASSING.has(now.detailed_merge_status ?? now.merge_status),
  };
}
