/** Puts the state of a run into words, from its facts alone. Screen and terminal use the same ones. */
import { isCommitUndone } from "../../domain/undo/undone-commit.ts";
import { hasEnded } from "../settled.ts";
import type { AttemptDocument, CheckDocument, RunDocument } from "../task-document.ts";
import { cleanLine } from "../text.ts";
import { tellingRun } from "./attempt-standing.ts";
import { elapsedText } from "./elapsed.ts";
import { type Silence, silentFor } from "./silence.ts";

/** The family decides the colour of a state; only `needs` and `fail` ask for a person. */
export type RunFamily = "queue" | "work" | "needs" | "review" | "fail";

/** The outline that stands for a state, so that it is read without colour too. */
export type StateSign =
  | "ring-dashed"
  | "ring-quarter"
  | "ring-dot"
  | "ring-tick"
  | "ring-half"
  | "ring-arrow"
  | "ring-equals"
  | "ring-stroke"
  | "ring-question"
  | "node"
  | "diamond-bang"
  | "diamond-question"
  | "diamond-clock"
  | "square-cross"
  | "speech"
  | "disc-tick"
  | "disc-arrow"
  | "disc-node";

interface RunPresentation {
  readonly family: RunFamily;
  readonly sign: StateSign;
  /** Names the state for a screen that has words of its own, such as `running` or `waits_parallel`. */
  readonly code: string;
  readonly words: string;
}

type Facts = Pick<
  RunDocument,
  "status" | "phase" | "outcome" | "failure" | "held" | "waits_for" | "resume_at" | "question"
> &
  Partial<Pick<RunDocument, "kind">>;

/** The facts, and what tells for how long its agent has said nothing. */
type TimedFacts = Facts & Silence;

/** How a run is shown at `now`, in milliseconds since 1970: an agent that said nothing for minutes asks for a look. */
export function presentRunAt(run: TimedFacts, now: number): RunPresentation {
  const ms = silentFor(run, now);
  return ms === null
    ? presentRun(run)
    : needs("ring-question", "silent", `Not known: no event for ${elapsedText(ms)}`);
}

/** How a run is shown. Every status and phase has its row, so no state is unknown. */
export function presentRun(run: Facts): RunPresentation {
  const presented = presentState(run);
  // In the queue it has words of its own.
  if (presented.family !== "work" || run.waits_for?.reason !== "disk") return presented;
  const what = run.status === "RUNNING" ? "Its agent may have ended: what it came to" : presented.words;
  return needs("ring-question", "no_room", `${what} waits for room on the disk of the data folder`);
}

function presentState(run: Facts): RunPresentation {
  switch (run.status) {
    case "PENDING":
      if (run.held) return needs("ring-stroke", "held", "Held: the run before it did not succeed");
      return run.phase === "preparing" && run.waits_for?.reason !== "clone"
        ? work("ring-quarter", "preparing", "Preparing")
        : queued(run.waits_for);
    case "RUNNING":
      return run.phase === "waiting" ? presentWaiting(run) : work("ring-dot", "running", "Running");
    case "STAGING":
      if (run.phase === "checking") return work("ring-tick", "checking", "Checking");
      return run.phase === "proving"
        ? work("ring-half", "proving", "Proving ownership")
        : work("ring-half", "staging", "Staging");
    case "COMMITTING":
      return work("node", "committing", "Committing");
    case "PUSHING":
      return work("ring-arrow", "pushing", "Pushing");
    case "SUCCEEDED":
      return presentSuccess(run);
    case "FAILED": {
      const code = run.failure?.code ?? "internal";
      return row("fail", "square-cross", `failed_${code}`, `Failed: ${code}`);
    }
    case "CANCELED":
      return row("queue", "ring-stroke", "stopped", "Stopped");
  }
}

function presentWaiting({ question, waits_for, resume_at }: Facts): RunPresentation {
  if (question !== null) {
    const words = `Asks you: ${firstWords(question.words)}`;
    return question.source === "permission"
      ? needs("diamond-bang", "asks_leave", words)
      : needs("diamond-question", "asks_words", words);
  }
  if (waits_for !== null) return queued(waits_for);
  return resume_at === null
    ? work("ring-dot", "goes_on", "Goes on with your answer")
    : work("diamond-clock", "rate_limited", `Rate limited until ${clockOf(resume_at)}, resumes by itself`);
}

function presentSuccess({ kind, outcome }: Facts): RunPresentation {
  if (kind === "review") return row("review", "speech", "reviewed", "Reviewed");
  if (outcome === "no_changes") return row("queue", "ring-equals", "no_changes", "No changes");
  return outcome === "committed" ? COMMITTED : PUSHED;
}

/** Likewise an attempt at `now`: as the run that decides its state, unless the attempt was cancelled. */
export function presentAttempt(
  attempt: Pick<AttemptDocument, "state" | "clean_up" | "runs">,
  now: number,
): RunPresentation {
  if (attempt.clean_up !== null) return needs("ring-question", "not_cleaned_up", "Cancelled, not cleaned up");
  if (attempt.state === "canceled") return row("queue", "ring-stroke", "canceled", "Cancelled");
  if (attempt.state === "removed") return row("queue", "ring-stroke", "removed", "Removed");
  const run = tellingRun(attempt);
  if (run === null) return row("queue", "ring-dashed", "no_run", "No run yet");
  if (isCommitUndone(run.notes) && attempt.state === "needs_you")
    return needs("ring-question", "commit_undone", "Commit undone, its files are not committed");
  const presented = BY_ITS_BRANCH.get(attempt.state) ?? presentRunAt(run, now);
  const held = attempt.runs.filter((each) => each.held && !hasEnded(each) && each.id !== run.id).length;
  return held === 0 ? presented : { ...presented, words: `${presented.words}, ${held} held` };
}

const row = (family: RunFamily, sign: StateSign, code: string, words: string): RunPresentation => ({
  family,
  sign,
  code,
  words,
});
const work = (sign: StateSign, code: string, words: string) => row("work", sign, code, words);
const needs = (sign: StateSign, code: string, words: string) => row("needs", sign, code, words);

const PUSHED = row("review", "disc-tick", "pushed", "Pushed");
const COMMITTED = row("review", "disc-node", "committed", "Committed");

/** A person may have committed, pushed or merged since the run that decided. */
const BY_ITS_BRANCH: ReadonlyMap<AttemptDocument["state"], RunPresentation> = new Map([
  ["pushed", PUSHED],
  ["committed", COMMITTED],
  ["merged", row("queue", "ring-tick", "merged", "Merged")],
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

function queued(waits: RunDocument["waits_for"]): RunPresentation {
  const code = waits === null ? "queued" : `waits_${waits.reason}`;
  return row("queue", "ring-dashed", code, waitingWords(waits));
}

/** Short, since a line of progress shows it beside the last action. */
function waitingWords(waits: RunDocument["waits_for"]): string {
  switch (waits?.reason) {
    case undefined:
      // The scheduler has not looked yet, or the run is about to begin.
      return "Queued";
    case "labels":
      return `Waits for a worker with ${waits.labels?.join(", ") ?? "its labels"}`;
    case "attempt":
      return "Waits for the run before it";
    case "draining":
      return "Waits: its worker drains, `tazuna workers resume` lets it begin";
    case "clock_off":
      return "Waits: the clock of its worker is wrong, `tazuna doctor` says by how much";
    case "fenced":
      return "Starts again: its machine had lost its lease";
    case "disk":
      return "Waits for room on the disk";
    case "clone":
      return `Waits for its clone: ${waits.why ?? "it could not be made anew."}`;
    case "login":
      return `Waits for its login, rate limited until ${clockOf(waits.until ?? "")}`;
    case "parallel":
      return `Waits for a slot: at most ${waits.limit} at once`;
    case "per_repository":
      return `Waits for a slot: at most ${waits.limit} in this repository`;
    case "per_login":
      return `Waits for a slot: at most ${waits.limit} with this login`;
    case "worker_silent":
      return `Waits for ${waits.worker ?? "its worker"}, which is silent`;
    case "worker_stopped":
      return `Waits for ${waits.worker ?? "its worker"}, which has stopped`;
    case "worker_older":
      return `Waits for ${waits.worker ?? "its worker"}, which has an older Tazuna`;
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
