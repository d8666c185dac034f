/** Writes tasks, attempts and runs for people. Everything that people or agents wrote is cleaned. */
import { cleanUpWords, isolationWords, presentAttempt } from "../../contract/present-run.ts";
import type { AttemptDocument, ListedTask, RunDocument, TaskDocument } from "../../contract/task-document.ts";
import { cleanLine, cutToColumns } from "../../contract/text.ts";
import { shortId } from "../resolve-id.ts";
import { tableText } from "./table.ts";

/** A table with a line per attempt, then what there is to know of failures and notes. */
export function taskTable({ task, attempts }: TaskDocument, columns: number): string {
  const rows = attempts.map((attempt) => attemptRow(attempt));
  const head = ["ATTEMPT", "AGENT", "STATE", "CHANGES", "COMMIT", "BRANCH"];
  const remarks = [...isolationLines(attempts), ...attempts.flatMap(remarksOf)];
  return [
    `${shortId(task.id)}  ${cleanLine(task.title)}\n\n`,
    tableText(head, rows, columns),
    remarks.length === 0 ? "" : `\n${remarks.join("")}`,
  ].join("");
}

/** What held the agents: one line where it was the same for all, else one for each kind, with whom it held. */
function isolationLines(attempts: readonly AttemptDocument[]): string[] {
  const held = attempts.flatMap(({ id, runs }) => {
    const run = runs.at(-1);
    const words = run === undefined ? null : isolationWords(run);
    return words === null ? [] : [{ id: shortId(id), words: cleanLine(words), why: run?.isolation_reason }];
  });
  const kinds = [...Map.groupBy(held, ({ words }) => words)];
  return kinds.map(([words, of]) => {
    const whom = kinds.length === 1 ? "" : ` (${of.map(({ id }) => id).join(", ")})`;
    const how = of[0]?.why ? " `tazuna doctor` says how to get more." : "";
    return `Isolation: ${words}${how}${whom}\n`;
  });
}

/** One line per attempt of every task. */
export function taskList(tasks: readonly ListedTask[], columns: number): string {
  const rows = tasks.flatMap((task) =>
    task.attempts.map((attempt, index) => [
      index === 0 ? shortId(task.id) : "",
      index === 0 ? cutToColumns(cleanLine(task.title), Math.max(8, Math.min(40, columns - 2))) : "",
      shortId(attempt.id),
      cleanLine(attempt.agent),
      presentAttempt(attempt).words,
      changesOf(attempt.runs.at(-1)),
    ]),
  );
  const table = tableText(["TASK", "TITLE", "ATTEMPT", "AGENT", "STATE", "CHANGES"], rows, columns);
  const troubled = tasks.flatMap(({ attempts }) => attempts.filter(({ clean_up }) => clean_up !== null));
  return troubled.length === 0 ? table : `${table}\n${troubled.flatMap(remarksOf).join("")}`;
}

function attemptRow(attempt: AttemptDocument): string[] {
  const run = attempt.runs.at(-1);
  return [
    shortId(attempt.id),
    cleanLine(attempt.agent),
    presentAttempt(attempt).words,
    changesOf(run),
    run?.commit?.slice(0, 12) ?? "-",
    cleanLine(attempt.branch),
  ];
}

function changesOf(run: RunDocument | undefined): string {
  if (!run?.patch || run.patch.files === 0) return "-";
  const { files, additions, deletions } = run.patch;
  return `${files} ${files === 1 ? "file" : "files"} +${additions} -${deletions}`;
}

/** What the latest run failed of and what to do, and what else a person should know. */
function remarksOf(attempt: AttemptDocument): string[] {
  const run = attempt.runs.at(-1);
  const name = `${shortId(attempt.id)} ${cleanLine(attempt.agent)}`;
  const trouble = cleanUpWords(attempt);
  if (trouble !== null) return [`${name}: ${cleanLine(trouble.why)}\n  ${trouble.remedy}\n`];
  if (run === undefined) return [];
  const notes = run.notes.map((note) => `${name}: ${cleanLine(note.message)}\n`);
  if (run.failure === null) return notes;
  // What is gone cannot be continued or retried.
  if (attempt.state !== "open") return [`${name}: ${cleanLine(run.failure.message)}\n`, ...notes];
  return [`${name}: ${cleanLine(run.failure.message)}\n  ${cleanLine(run.failure.remedy)}\n`, ...notes];
}
