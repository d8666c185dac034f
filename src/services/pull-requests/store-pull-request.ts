/** Stores what is known of a pull request, together with the fact that it changed. */
import { createHash } from "node:crypto";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { sameForm } from "../../domain/pull-request/changed-words.ts";
import type { PullRequest } from "../../domain/pull-request/pull-request.ts";
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { savePullRequest } from "../../storage/tables/pull-requests.ts";

/** One act on an attempt's pull request at a time: the key of its lock. */
export function pullRequestLock(attemptId: string): string {
  return `pull-request ${attemptId}`;
}

/** In the transaction that makes it true. */
export async function storePullRequest(
  trx: WriteTransaction,
  attempt: Pick<Attempt, "id" | "taskId">,
  { tracked, at }: { readonly tracked: Tracked; readonly at: string },
): Promise<void> {
  await savePullRequest(trx, tracked);
  const { number, url, state, draft, trouble, checks, threads } = tracked;
  await appendFact(trx, {
    at,
    kind: "pull_request.changed",
    taskId: attempt.taskId,
    attemptId: attempt.id,
    runId: null,
    data: {
      pull_request: tracked.id,
      number,
      url,
      state,
      draft,
      head: tracked.head.sha,
      failed_checks: checks.filter((check) => check.state === "failed").length,
      threads: threads.filter(({ resolved }) => resolved !== true).length,
      trouble: trouble?.code ?? null,
    },
  });
}

/** The same with what the forge says now. A pull request that ended is not looked at again. */
export function withSeen(tracked: Tracked, seen: PullRequest, at: string): Tracked {
  const { number, url, state, draft, title, head, mergeable, mergeBlock, mergeCommit, author } = seen;
  return {
    ...tracked,
    number,
    url,
    state,
    draft,
    title,
    head: { branch: head.branch, sha: head.sha },
    baseBranch: seen.base.branch,
    mergeable,
    mergeBlock,
    mergeCommit,
    author,
    wanted: null,
    trouble: null,
    lookedAt: at,
    lookAt: state === "open" ? at : null,
  };
}

/** The hash of words as they are compared. */
export function wordsHash(text: string): string {
  return createHash("sha256").update(sameForm(text)).digest("hex");
}
