/** Tells what is stored of a pull request, as documents: whole, as the answer of `pr`, and within its attempt. */

import { failedChecks, openThreads } from "../../domain/pull-request/open-points.ts";
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import { showing } from "../document-of.ts";
import { type PullRequestSummary, pullRequestFields } from "../pull-request-document.ts";

const showFields = showing(pullRequestFields);

/** With checks and threads. */
export function showPullRequest(tracked: Tracked) {
  return {
    ...showFields(tracked),
    ...showOpened(tracked).pull_request,
    head_commit: tracked.head.sha,
    waits: tracked.wanted !== null,
    tried: tried(tracked),
  };
}

/** The answer of `pr`. */
export function showOpened({ number, url, state, head, baseBranch, draft }: Tracked) {
  return { pull_request: { number, url, state, head: head.branch, base: baseBranch, draft } };
}

/** Within its attempt. */
export function showSummary(tracked: Tracked): PullRequestSummary {
  const { title, head, mergeable, mergeBlock, checks, trouble } = tracked;
  return {
    ...showOpened(tracked).pull_request,
    title,
    head_commit: head.sha,
    mergeable,
    merge_block: mergeBlock,
    failed_checks: failedChecks(tracked).map(({ name }) => name),
    pending_checks: checks.filter(({ state }) => state === "pending").map(({ name }) => name),
    open_threads: openThreads(tracked).map(threadOf),
    waits: tracked.wanted !== null,
    tried: tried(tracked),
    trouble: trouble && { code: trouble.code, message: trouble.message, resume_at: trouble.resumeAt },
  };
}

function tried({ handed }: Tracked): PullRequestSummary["tried"] {
  return handed.map(({ checks, comments, ...rest }) => ({
    ...rest,
    checks: [...checks],
    comments: [...comments],
  }));
}

const MAX_WORDS = 200;

/** What people wrote last in it, in a few words. */
function threadOf({ id, path, line, url, comments }: Tracked["threads"][number]) {
  const last = comments.at(-1);
  const words = (last?.body ?? "").replace(/\s+/g, " ").trim();
  return { id, path, line, url, author: last?.author ?? null, words: words.slice(0, MAX_WORDS) };
}
