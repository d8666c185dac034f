/** Makes tasks whose attempts stand in every state that the board knows, each under the title of its state. */
import { showListedTask } from "../../src/api/documents/show-task.ts";
import type { PullRequestSummary } from "../../src/contract/pull-request-document.ts";
import type { ListedTask } from "../../src/contract/task-document.ts";
import type { Attempt } from "../../src/domain/attempt/attempt.ts";
import { FAILURE_CODES, failure } from "../../src/domain/run/failure.ts";
import { waitingFor } from "../../src/domain/run/waiting.ts";
import type { RunView } from "../../src/services/core/answer-shapes.ts";
import {
  A_QUESTION,
  aCheck,
  anAttempt,
  aRepository,
  aRun,
  aTask,
  PUSHED,
  PUSHED_PATCH,
} from "./sample-documents.ts";

interface Row {
  readonly title: string;
  readonly run?: Partial<RunView>;
  readonly attempt?: Partial<Attempt>;
  readonly pull?: Partial<PullRequestSummary>;
  readonly publish?: ListedTask["publish"];
  readonly isChosen?: boolean;
}

const AT = "2026-01-02T03:04:05.000Z";
const LATER = "2026-01-02T15:30:00.000Z";
const DONE: Partial<RunView> = { ...PUSHED, checks: [aCheck(), aCheck({ name: "lint" })] };
const live = (run: Partial<RunView>): Partial<RunView> => ({
  isolation: "guard",
  lastAction: { at: AT, text: "Edit src/auth/reset-limiter.ts" },
  ...run,
});
const over: Partial<Attempt> = { patch: PUSHED_PATCH };

const QUEUED: readonly Row[] = [
  { title: "Waits for a slot", run: { waitsFor: waitingFor("parallel", { limit: 8 }) } },
  { title: "Waits in its repository", run: { waitsFor: waitingFor("per_repository", { limit: 4 }) } },
  { title: "Waits for its login", run: { waitsFor: waitingFor("login", { until: LATER }) } },
  { title: "Waits for a room on the disk", run: { waitsFor: waitingFor("disk") } },
  { title: "Met a rate limit", run: live({ status: "RUNNING", phase: "waiting", resumeAt: LATER }) },
];

const WORKING: readonly Row[] = [
  { title: "Prepares", run: live({ phase: "preparing" }) },
  {
    title: "Runs",
    run: live({
      status: "RUNNING",
      phase: "agent",
      number: 2,
      lastAction: { at: new Date().toISOString(), text: "Edit src/auth/reset-limiter.ts" },
    }),
  },
  { title: "Checks", run: live({ status: "STAGING", phase: "checking" }) },
  { title: "Proves", run: live({ status: "STAGING", phase: "proving" }) },
  { title: "Stages", run: live({ status: "STAGING", phase: "staging" }) },
  { title: "Commits", run: live({ status: "COMMITTING", phase: null }) },
  { title: "Pushes", run: live({ status: "PUSHING", phase: null }) },
];

const NEEDS: readonly Row[] = [
  { title: "Asks for leave", run: live({ status: "RUNNING", phase: "waiting", question: A_QUESTION }) },
  {
    title: "Asks in words",
    run: live({
      status: "RUNNING",
      phase: "waiting",
      question: { ...A_QUESTION, source: "person", words: "Formal or casual?", command: null },
    }),
  },
  { title: "Is silent", run: live({ status: "RUNNING", phase: "agent" }) },
  { title: "Is held", run: { held: true } },
  ...FAILURE_CODES.map(
    (code): Row => ({
      title: `Fails: ${code.replaceAll("_", " ")}`,
      run: {
        status: "FAILED",
        phase: null,
        failure: failure(code, "What happened, in a sentence."),
        checks: code === "check_failed" ? [aCheck({ outcome: "failed", exitCode: 1 })] : [],
      },
    }),
  ),
  {
    title: "Is not cleaned up",
    attempt: { state: "canceled", cleanUp: { why: "It is busy.", triedAt: AT, againAt: LATER } },
    run: DONE,
  },
  { title: "Has a red check", run: DONE, pull: { failed_checks: ["migrations"] } },
  { title: "Conflicts on the forge", run: DONE, pull: { mergeable: false } },
];

const ENDED: readonly Row[] = [
  { title: "Is new", run: DONE },
  { title: "Is committed", run: { ...DONE, outcome: "committed" } },
  { title: "Changed nothing", run: { ...PUSHED, outcome: "no_changes", commit: null, patch: null } },
  { title: "Was stopped", run: { status: "CANCELED", phase: null } },
  { title: "Waits for the forge", run: DONE, pull: { pending_checks: ["end-to-end"] } },
  { title: "Is green", run: DONE, pull: {} },
  { title: "Is chosen", run: DONE, isChosen: true },
  { title: "Is held back", run: { ...DONE, outcome: "committed" }, publish: "hold" },
  {
    title: "Is merged",
    run: DONE,
    attempt: {
      merged: { at: AT, commit: "m", tip: PUSHED.commit ?? "", target: "main", before: null, by: "tazuna" },
    },
  },
  { title: "Is cancelled", run: DONE, attempt: { state: "canceled" } },
  { title: "Is cleaned up", run: DONE, attempt: { state: "removed" } },
];

const PULL: PullRequestSummary = {
  ...{ number: 457, url: null, state: "open", head: "b", base: "main", draft: false, title: "T" },
  ...{ head_commit: null, mergeable: true, merge_block: null, failed_checks: [], pending_checks: [] },
  ...{ open_threads: [], waits: false, tried: [], trouble: null },
};

export const EVERY_STATE: readonly ListedTask[] = [...QUEUED, ...WORKING, ...NEEDS, ...ENDED].map(taskOf);

function taskOf({ title, run, attempt, pull, publish, isChosen = false }: Row, index: number): ListedTask {
  const id = `state-${index}`;
  const task = showListedTask({
    task: aTask({ id: `${id}-task`, title, ...(publish === undefined ? {} : { publish }) }),
    repository: aRepository(),
    attempts: [
      {
        attempt: anAttempt({ id, ...(run?.patch ? over : {}), ...attempt }),
        runs: [aRun({ id: `${id}-run`, attemptId: id, ...run })],
      },
    ],
  });
  return {
    ...task,
    attempts: task.attempts.map((each) => ({
      ...each,
      chosen: isChosen,
      pull_request: pull === undefined ? null : { ...PULL, ...pull },
    })),
  };
}
