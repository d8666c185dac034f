/** Decides where an attempt stands on the board, and since when: the column is derived from facts and never stored. */
import type { PullRequestSummary } from "../pull-request-document.ts";
import type { AttemptDocument, ListedTask, RunDocument } from "../task-document.ts";
import { tellingRun } from "./attempt-standing.ts";
import { presentAttempt, type RunFamily, type StateSign } from "./present-run.ts";
import { heardOf } from "./silence.ts";

/** In the order in which a board shows them. */
export const COLUMNS = ["queued", "working", "needs", "review", "ready", "done"] as const;
export type Column = (typeof COLUMNS)[number];

/** `ready`: nothing is left but to bring it in. */
type CardFamily = RunFamily | "ready";

export interface Card {
  readonly column: Column;
  readonly family: CardFamily;
  readonly sign: StateSign;
  /** Names the state, such as `running`; the codes of `presentRun`, and those of a pull request (`pr_green`). */
  readonly code: string;
  /** The run whose words describe the attempt; null if none does. */
  readonly run: RunDocument | null;
  /** When it came into this state, UTC ISO. */
  readonly since: string;
}

type Task = Pick<ListedTask, "publish" | "decision" | "created_at" | "attempts">;

/** As it stands at `now`, in milliseconds since 1970. */
export function presentCard(attempt: AttemptDocument, task: Task, now: number): Card {
  const { family, sign, code } = presentAttempt(attempt, now);
  const run = tellingRun(attempt);
  const plain: Card = {
    column: columnOf({ attempt, family, code }),
    family,
    sign,
    code,
    run,
    since:
      (code === "silent" && run !== null ? heardOf(run) : null) ?? sinceOf(attempt, run) ?? task.created_at,
  };
  if (isPassedOver(plain, attempt, task))
    return { ...plain, column: "done", family: "queue", sign: "ring-stroke", code: "not_chosen" };
  if (plain.column === "needs" && family === "fail" && hasBetterSibling(attempt, task))
    return { ...plain, column: "review" };
  if (plain.column !== "review" || family === "fail") return plain;
  const pull = attempt.pull_request === null ? null : presentPullRequest(attempt.pull_request);
  if (pull !== null) return { ...plain, ...pull };
  if (attempt.chosen) return { ...plain, column: "ready", family: "ready" };
  return code === "committed" && task.publish === "hold"
    ? { ...plain, column: "ready", family: "ready", code: "push_held" }
    : { ...plain, ...(family === "review" ? { sign: "speech" } : {}) };
}

function columnOf(given: {
  readonly attempt: AttemptDocument;
  readonly family: RunFamily;
  readonly code: string;
}): Column {
  const { attempt, family, code } = given;
  if (code === "merged" || code === "canceled" || code === "removed") return "done";
  if (attempt.state === "needs_you" || family === "needs" || family === "fail") return "needs";
  // It resumes by itself, so nobody needs to act.
  if (code === "rate_limited" || code.startsWith("waits_") || code === "queued" || code === "no_run")
    return "queued";
  return family === "work" ? "working" : "review";
}

/** What the forge says of it: red asks for a person, pending waits, green may be merged. */
function presentPullRequest(
  pull: PullRequestSummary,
): Pick<Card, "column" | "family" | "sign" | "code"> | null {
  if (pull.state === "closed") return null;
  const red = (code: string) => ({ column: "needs", family: "fail", sign: "square-cross", code }) as const;
  const good = (sign: StateSign, code: string) => ({ column: "ready", family: "ready", sign, code }) as const;
  if (pull.trouble !== null && pull.trouble.resume_at === null) return red("pr_trouble");
  if (pull.failed_checks.length > 0) return red("pr_checks_failed");
  if (pull.mergeable === false) return red("pr_conflict");
  if (pull.open_threads.length > 0) return red("pr_threads");
  if (pull.waits || pull.number === null || pull.pending_checks.length > 0)
    return good("disc-tick", "pr_pending");
  return good("disc-arrow", "pr_green");
}

/** Another one was chosen, and nothing has happened in this one since. A question still asks. */
function isPassedOver({ column, family, since }: Card, { id }: AttemptDocument, { decision }: Task): boolean {
  if (decision === null || decision.attempt === id || decision.at < since) return false;
  return column === "review" || (column === "needs" && family === "fail");
}

/** One that failed stays with its siblings if one of them succeeded: the choice is the answer. */
function hasBetterSibling(attempt: AttemptDocument, { attempts }: Task): boolean {
  return attempts.some(({ id, state }) => id !== attempt.id && SUCCEEDED.has(state));
}

const SUCCEEDED: ReadonlySet<AttemptDocument["state"]> = new Set(["pushed", "committed", "merged"]);

function sinceOf({ merged, pull_request: _, runs }: AttemptDocument, run: RunDocument | null): string | null {
  if (merged !== null) return merged.at;
  if (run === null) return runs.at(-1)?.ended_at ?? null;
  return run.ended_at ?? run.question?.asked_at ?? run.started_at ?? run.created_at;
}
