/** Tells what a fork began with: to its agent in the prompt, to a person in a note. */

import type { ForkedWork } from "../../domain/agent/fork-section.ts";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import type { RunNote } from "../../domain/run/run.ts";
import { someOf } from "../../domain/text/listed.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import type { Uses } from "../core/context-parts.ts";
import { note, type RunWorld } from "./step.ts";

/** Null if the attempt is no fork. */
export async function forkedWork(
  { db }: Uses<"db">,
  { attempt: { origin } }: Pick<RunWorld, "attempt">,
): Promise<ForkedWork | null> {
  const source = origin?.act === "fork" ? origin.sources[0] : undefined;
  if (source === undefined) return null;
  const runs = workOf(await runsOfAttempt(db.reader, source.attemptId));
  const last = runs.findIndex(({ id }) => id === source.runId);
  const turns = runs
    .slice(0, last + 1)
    .map(({ instruction, summary }) => ({ instruction, summary: summary ?? "" }));
  return { agent: source.agent, files: source.files, turns };
}

/** What the gate, a check or setup left out of that run: it is in no tree. */
const LEFT_OUT: ReadonlySet<string> = new Set(["left_out", "left_by_check", "left_by_setup"]);

/** What came along, and what did not. Empty if the attempt is no fork. */
export async function forkNote(
  { db }: Uses<"db">,
  { attempt: { origin } }: Pick<RunWorld, "attempt">,
): Promise<readonly RunNote[]> {
  const source = origin?.act === "fork" ? origin.sources[0] : undefined;
  if (source === undefined) return [];
  const { attemptId, runId, files, agent } = source;
  const run = runId === null ? null : await getRun(db.reader, runId);
  const paths = (run?.notes ?? []).flatMap(({ code, details }) =>
    LEFT_OUT.has(code) && typeof details.path === "string" ? [details.path] : [],
  );
  const message = [
    `Began with the ${files} changed ${files === 1 ? "file" : "files"} that the run ${runId?.slice(0, 8)} left (attempt ${attemptId.slice(0, 8)}${agent === null ? "" : `, ${agent}`}).`,
    "Its commits, its session and ignored files did not come along.",
    ...(paths.length === 0 ? [] : [`Left out there, and so here: ${someOf(paths, 5)}.`]),
  ].join(" ");
  return [note("forked", message, { attempt: attemptId, run: runId, files, left_out: paths })];
}
