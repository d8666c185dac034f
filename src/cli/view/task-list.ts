/** Writes a list of tasks for people: an attempt a line, with its age and its last run's id. */

import { columnsOf, cutToColumns } from "../../contract/columns.ts";
import type { AttemptDocument, ListedTask, RunDocument } from "../../contract/task-document.ts";
import { cleanLine } from "../../contract/text.ts";
import { actorWords, needsNames } from "../../contract/words/actor-words.ts";
import { newestRun, workRuns } from "../../contract/words/attempt-standing.ts";
import { presentAttempt } from "../../contract/words/present-run.ts";
import { shortId } from "../shared/resolve-id.ts";
import { besideCopy } from "./copy-text.ts";
import { besideState } from "./pull-request-text.ts";
import { tableText } from "./table.ts";
import { agentText, changesText, remarksOf } from "./task-text.ts";

/** In a narrow window titles are cut first. */
const WIDEST_TITLE = 40;
const TITLE_COLUMNS = [WIDEST_TITLE, 28, 16];

/** `now` in milliseconds since 1970. */
export function taskList(
  tasks: readonly ListedTask[],
  window: { readonly columns: number; readonly now: number },
): string {
  const several = new Set(tasks.map(({ repository }) => repository.id)).size > 1;
  const askers = tasks.flatMap(({ attempts }) => attempts.map((attempt) => lastRun(attempt)?.actor));
  const kind = { several, named: needsNames(askers) };
  const whole = { ...window, ...kind, columns: Number.POSITIVE_INFINITY };
  const fits = (title: number) =>
    listTable(tasks, { ...whole, title })
      .split("\n")
      .every((line) => columnsOf(line) <= window.columns);
  const title = TITLE_COLUMNS.find(fits) ?? WIDEST_TITLE;
  const table = listTable(tasks, { ...window, ...kind, title });
  const chosen = tasks.some(({ attempts }) => attempts.some((attempt) => attempt.chosen));
  const legend = chosen ? "* chosen\n" : "";
  const troubled = tasks.flatMap(({ attempts }) => attempts.filter(({ clean_up }) => clean_up !== null));
  const remarks = troubled.flatMap(remarksOf).join("");
  return `${table}${legend}${remarks === "" ? "" : `\n${remarks}`}`;
}

interface Layout {
  readonly columns: number;
  readonly now: number;
  /** Whether tasks of more than one repository are listed. */
  readonly several: boolean;
  /** Whether it needs to be told who asked. */
  readonly named: boolean;
  /** The width of the titles. */
  readonly title: number;
}

function listTable(tasks: readonly ListedTask[], layout: Layout): string {
  const { several, named, columns } = layout;
  const repository = several ? ["REPOSITORY"] : [];
  const by = named ? ["BY"] : [];
  const head = ["TASK", "TITLE", ...repository, "ATTEMPT", "RUN", "AGENT", ...by, "STATE", "CHANGES", "AGE"];
  const rows = tasks.flatMap((task) =>
    task.attempts.map((attempt, index) => [
      ...(index === 0 ? taskCells(task, layout) : ["", "", ...repository.map(() => "")]),
      ...attemptCells(attempt, layout),
    ]),
  );
  return tableText(head, rows, columns);
}

function taskCells({ id, title, repository }: ListedTask, layout: Layout): string[] {
  const max = Math.max(8, Math.min(layout.title, layout.columns - 2));
  const name = layout.several ? [cleanLine(repository.name)] : [];
  return [shortId(id), cutToColumns(cleanLine(title), max), ...name];
}

/** The age is that of the last run: the time since the attempt last got a request. */
function attemptCells(attempt: AttemptDocument, { now, named }: Layout): string[] {
  const run = lastRun(attempt);
  return [
    `${shortId(attempt.id)}${attempt.chosen ? " *" : ""}`,
    run === undefined ? "-" : shortId(run.id),
    agentText(attempt),
    ...(named ? [cleanLine(actorWords(run?.actor))] : []),
    `${presentAttempt(attempt, now).words}${besideState(attempt.pull_request)}${besideCopy(attempt)}`,
    changesText(attempt),
    ageText(now - Date.parse(run?.created_at ?? attempt.created_at)),
  ];
}

function lastRun(attempt: AttemptDocument): RunDocument | undefined {
  return newestRun(workRuns(attempt));
}

/** Such as `5m`, `3h` or `2d`. */
function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes}m`;
  return minutes < 60 * 24 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / (60 * 24))}d`;
}
