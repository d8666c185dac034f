/** Puts the state of a run into words, from its facts alone. CLI and status page use the same words. */
import { isCommitUndone } from "../../domain/undo/undone-commit.ts";
import { hasEnded } from "../settled.ts";
import type { AttemptDocument, CheckDocument, RunDocument } from "../task-document.ts";
import { cleanLine } from "../text.ts";
import { tellingRun } from "./attempt-standing.ts";
import { elapsedText } from "./elapsed.ts";

/** The family decides colour and sign of a state; only `needs` asks for a person. */
export type RunFamily = "queue" | "work" | "needs" | "review" | "fail";

interface RunPresentation {
  readonly family: RunFamily;
  readonly words: string;
}

type Facts = Pick<
  RunDocument,
  "status" | "phase" | "outcome" | "failure" | "held" | "waits_for" | "resume_at" | "question"
> &
  Partial<Pick<RunDocument, "kind">>;

/** Family and words of a run. Every status and phase has its row, so no state is unknown. */
export function presentRun(run: Facts): RunPresentation {
  const presented = presentState(run);
  // In the queue it has words of its own.
  if (presented.family !== "work" || run.waits_for?.reason !== "disk") return presented;
  const what = run.status === "RUNNING" ? "Its agent may have ended: what it came to" : presented.words;
  return needs(`${what} waits for room on the disk of the data folder`);
}

function presentState(run: Facts): RunPresentation {
  switch (run.status) {
    case "PENDING":
      if (run.held) return needs("Held: the run before it did not succeed");
      return run.phase === "preparing" ? work("Preparing") : queue(waitingWords(run.waits_for));
    case "RUNNING":
      if (run.phase !== "waiting") return work("Running");
      if (run.question !== null) return needs(`Asks you: ${firstWords(run.question.words)}`);
      if (run.waits_for !== null) return queue(waitingWords(run.waits_for));
      return run.resume_at === null
        ? work("Goes on with your answer")
        : work(`Rate limited until ${clockOf(run.resume_at)}, resumes by itself`);
    case "STAGING":
      if (run.phase === "checking") return work("Checking");
      return work(run.phase === "proving" ? "Proving ownership" : "Staging");
    case "COMMITTING":
      return work("Committing");
    case "PUSHING":
      return work("Pushing");
    case "SUCCEEDED":
      if (run.kind === "review") return { family: "review", words: "Reviewed" };
      return run.outcome === "no_changes"
        ? queue("No changes")
        : { family: "review", words: run.outcome === "committed" ? "Committed" : "Pushed" };
    case "FAILED":
      return { family: "fail", words: `Failed: ${run.failure?.code ?? "internal"}` };
    case "CANCELED":
      return queue("Stopped");
  }
}

/** Family and words of an attempt: those of the run that decides its state, unless the attempt was cancelled. */
export function presentAttempt(
  attempt: Pick<AttemptDocument, "state" | "clean_up" | "runs">,
): RunPresentation {
  if (attempt.clean_up !== null) return needs("Cancelled, not cleaned up");
  if (attempt.state === "canceled") return queue("Cancelled");
  if (attempt.state === "removed") return queue("Removed");
  const run = tellingRun(attempt);
  if (run === null) return queue("No run yet");
  if (isCommitUndone(run.notes) && attempt.state === "needs_you")
    return needs("Commit undone, its files are not committed");
  const presented = BY_ITS_BRANCH.get(attempt.state) ?? presentRun(run);
  const held = attempt.runs.filter((each) => each.held && !hasEnded(each) && each.id !== run.id).length;
  return held === 0 ? presented : { ...presented, words: `${presented.words}, ${held} held` };
}

/** A person may have committed, pushed or merged since the run that decided. */
const BY_ITS_BRANCH: ReadonlyMap<AttemptDocument["state"], RunPresentation> = new Map([
  ["pushed", { family: "review", words: "Pushed" }],
  ["committed", { family: "review", words: "Committed" }],
  ["merged", { family: "queue", words: "Merged" }],
]);

/** In US dollars; empty if no cost is known. */
export function costText({ cost_usd, cost_estimated }: NonNullable<RunDocument["usage"]>): string {
  if (cost_usd === null) return "";
  return `$${cost_usd.toFixed(4)}${cost_estimated ? " (estimated)" : ""}`;
}

/** The results of a run's checks, in one line; null if none has ended. */
export function checksWords({ checks }: Pick<RunDocument, "checks">): string | null {
  if (checks.length === 0) return null;
  return `Checks: ${checks.map((check) => `${cleanLine(check.name)} ${checkWords(check)}`).join(", ")}`;
}

/** The result of one check. */
export function checkWords(check: CheckDocument): string {
  const time = elapsedText(check.duration_ms);
  const optional = check.required ? "" : ", not required";
  return `${endOfCheck(check)} (${time}${check.passed ? "" : optional})`;
}

function endOfCheck({ outcome, exit_code }: CheckDocument): string {
  switch (outcome) {
    case "passed":
      return "passed";
    case "failed":
      return exit_code === null ? "failed" : `failed with exit code ${exit_code}`;
    case "timed_out":
      return "took too long";
    case "stopped":
      return "was stopped";
  }
}

/** What confined the agent, and in words why it is not more; null before it started. */
export function isolationWords({
  isolation,
  isolation_reason: reason,
}: Pick<RunDocument, "isolation" | "isolation_reason">): string | null {
  return reason === null ? isolation : `${isolation}, not the sandbox: ${reason}`;
}

/** The beginning of a question, for one line. */
function firstWords(words: string): string {
  const line = cleanLine(words.trim().split("\n")[0] ?? "");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** Short, since a line of progress shows it beside the last action. */
function waitingWords(waits: RunDocument["waits_for"]): string {
  switch (waits?.reason) {
    case undefined:
      // The scheduler has not looked yet, or the run is about to begin.
      return "Queued";
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

/** Why a cancelled attempt is not cleaned up, and what happens next; null if nothing is in the way. */
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
