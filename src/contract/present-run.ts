/** Says in words where a run stands, from its facts alone; the same words at every door. */
import type { AttemptDocument, RunDocument } from "./task-document.ts";

/** Which colour and sign a state has; `needs` is the only one that asks for a person. */
export type RunFamily = "queue" | "work" | "needs" | "review" | "fail";

export interface RunPresentation {
  readonly family: RunFamily;
  readonly words: string;
}

type Facts = Pick<
  RunDocument,
  "status" | "phase" | "outcome" | "failure" | "held" | "waits_for" | "resume_at"
>;

/** Family and words of a run. Unknown states cannot happen: every status and phase has its row. */
export function presentRun(run: Facts): RunPresentation {
  switch (run.status) {
    case "PENDING":
      if (run.held) return needs("Held: the run before it did not succeed");
      return run.phase === "preparing" ? work("Preparing") : queue(waitingWords(run.waits_for));
    case "RUNNING":
      if (run.phase !== "waiting") return work("Running");
      if (run.waits_for !== null) return queue(waitingWords(run.waits_for));
      return run.resume_at === null
        ? needs("Waits for you")
        : work(`Rate limited until ${clockOf(run.resume_at)}, resumes by itself`);
    case "STAGING":
      if (run.phase === "checking") return work("Checking");
      return work(run.phase === "proving" ? "Proving ownership" : "Staging");
    case "COMMITTING":
      return work("Committing");
    case "PUSHING":
      return work("Pushing");
    case "SUCCEEDED":
      return run.outcome === "no_changes"
        ? queue("No changes")
        : { family: "review", words: run.outcome === "committed" ? "Committed" : "Pushed" };
    case "FAILED":
      return { family: "fail", words: `Failed: ${run.failure?.code ?? "internal"}` };
    case "CANCELED":
      return queue("Stopped");
  }
}

/** Family and words of an attempt: those of its latest run, unless it was cancelled. */
export function presentAttempt(
  attempt: Pick<AttemptDocument, "state" | "clean_up" | "runs">,
): RunPresentation {
  if (attempt.clean_up !== null) return needs("Cancelled, not cleaned up");
  if (attempt.state === "canceled") return queue("Cancelled");
  if (attempt.state === "removed") return queue("Removed");
  const run = attempt.runs.at(-1);
  return run === undefined ? queue("No run yet") : presentRun(run);
}

/** What held the agent, and in words why no more did; null before it started. */
export function isolationWords({
  isolation,
  isolation_reason: reason,
}: Pick<RunDocument, "isolation" | "isolation_reason">): string | null {
  return reason === null ? isolation : `${isolation}, not the sandbox: ${reason}`;
}

/** Short, since a line of progress shows it beside the last action. */
function waitingWords(waits: RunDocument["waits_for"]): string {
  switch (waits?.reason) {
    case undefined:
      return "Waits for a slot";
    case "attempt":
      return "Waits for the run before it";
    case "disk":
      return "Waits for room on the disk";
    case "login":
      return `Waits for its login, rate limited until ${clockOf(waits.until ?? "")}`;
    case "parallel":
      return `Waits for a slot: at most ${waits.limit} at once`;
    case "per_repository":
      return `Waits for a slot: at most ${waits.limit} in this repository`;
    case "per_login":
      return `Waits for a slot: at most ${waits.limit} with this login`;
  }
}

/** Why a cancelled attempt is not cleaned up, and what becomes of that; null where nothing is in the way. */
export function cleanUpWords({
  id,
  clean_up: trouble,
}: Pick<AttemptDocument, "id" | "clean_up">): { readonly why: string; readonly remedy: string } | null {
  if (trouble === null) return null;
  return {
    why: `Its clean-up cannot go on: ${trouble.why}.`,
    remedy: `Nothing is lost. It is tried again at ${clockOf(trouble.again_at)} and whenever an engine starts; once the cause is mended, \`tazuna cancel ${id.slice(0, 8)}\` tries at once.`,
  };
}

/** The time of day of a UTC ISO time, in UTC, to the minute. */
function clockOf(iso: string): string {
  return `${iso.slice(11, 16)} UTC`;
}

const queue = (words: string): RunPresentation => ({ family: "queue", words });
const work = (words: string): RunPresentation => ({ family: "work", words });
const needs = (words: string): RunPresentation => ({ family: "needs", words });
