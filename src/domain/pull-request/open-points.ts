/** Finds what an agent should look at: open threads of other people, and failed checks. */
import type { ReviewComment, ReviewThread } from "./pull-request.ts";
import type { Tracked } from "./tracked.ts";

type Thread = Tracked["threads"][number];
type Check = Tracked["checks"][number];

/** What is open, and not sent on yet. */
export interface OpenPoints {
  readonly threads: readonly Thread[];
  readonly checks: readonly Check[];
}

/** Threads that wait for an answer: not resolved, and the last word is not Tazuna's. */
export function openThreads({ threads }: Pick<Tracked, "threads">): readonly Thread[] {
  return threads.filter((thread) => thread.resolved !== true && thread.comments.at(-1)?.ours === false);
}

export function failedChecks({ checks }: Pick<Tracked, "checks">): readonly Check[] {
  return checks.filter(({ state }) => state === "failed");
}

/**
 * Without the comments that were sent on before, and without failures of checks that were for this same commit. What
 * only `removed` runs were given was not sent: these never began.
 */
export function newPoints(
  tracked: Pick<Tracked, "threads" | "checks" | "handed" | "head">,
  removed: ReadonlySet<string>,
): OpenPoints {
  const handed = tracked.handed.filter(({ run }) => !removed.has(run));
  const sent = new Set(handed.flatMap(({ comments }) => comments));
  const failed = failedChecks(tracked);
  const isKnown = handed.some(
    ({ head, checks }) => head === tracked.head.sha && isSameSet(checks, namesOf(failed)),
  );
  return {
    threads: openThreads(tracked).filter((thread) => theirs(thread).some(({ id }) => !sent.has(id))),
    checks: isKnown ? [] : failed,
  };
}

/** What people wrote in a thread. */
export function theirs({ comments }: Pick<ReviewThread, "comments">): readonly ReviewComment[] {
  return comments.filter(({ ours }) => !ours);
}

function namesOf(checks: readonly Pick<Check, "name">[]): readonly string[] {
  return checks.map(({ name }) => name).sort();
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && one.length === other.length && one.every((name) => other.includes(name));
}
