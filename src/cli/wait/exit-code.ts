/** Decides the exit code of a command that waited for runs. */
import { settlementOf } from "../../contract/settled.ts";
import type { RunDocument, TaskDocument } from "../../contract/task-document.ts";
import type { ExitCode } from "../shared/cli-options.ts";

/** 1 if any failed or was stopped, else 3 if any waits for a person, else 0. */
export function exitCodeOf(document: TaskDocument, runs: ReadonlySet<string>): ExitCode {
  const settlements = runsOf(document, runs).map(settlementOf);
  if (settlements.some((each) => each === "failed" || each === "canceled")) return 1;
  return settlements.includes("person") ? 3 : 0;
}

/** Whether none of the runs goes on by itself. */
export function allSettled(document: TaskDocument, runs: ReadonlySet<string>): boolean {
  return runsOf(document, runs).every((run) => settlementOf(run) !== "going");
}

export function runsOf(document: TaskDocument, ids: ReadonlySet<string>): RunDocument[] {
  return document.attempts.flatMap((attempt) => attempt.runs).filter((run) => ids.has(run.id));
}
