/** Writes tasks, attempts and runs for people. All text of people and agents is cleaned. */
import type { AttemptDocument, RunDocument, TaskDocument } from "../../contract/task-document.ts";
import { cleanLine, cleanText } from "../../contract/text.ts";
import { isOpen, tellingRun, workRuns } from "../../contract/words/attempt-standing.ts";
import { type BaseTense, baseWords } from "../../contract/words/base-words.ts";
import { mainDetailLines } from "../../contract/words/detail-words.ts";
import { originWords } from "../../contract/words/origin-words.ts";
import {
  checksWords,
  cleanUpWords,
  isolationWords,
  presentAttempt,
} from "../../contract/words/present-run.ts";
import { answerCommands, questionLines } from "../../contract/words/question-words.ts";
import { shortId } from "../shared/resolve-id.ts";
import { besideCopy } from "./copy-text.ts";
import { besideState } from "./pull-request-text.ts";
import { tableText } from "./table.ts";

/** A table with a line per attempt, then the failures and notes. */
export function taskTable(
  { task, attempts }: TaskDocument,
  columns: number,
  tense: BaseTense = "then",
): string {
  const rows = attempts.map((attempt) => attemptRow(attempt));
  const head = ["ATTEMPT", "AGENT", "STATE", "CHANGES", "COMMIT", "BRANCH"];
  const remarks = [
    ...(attempts.some(({ chosen }) => chosen) ? ["* chosen\n"] : []),
    ...baseLines(attempts, tense),
    ...attempts.flatMap(originLine),
    ...isolationLines(attempts),
    ...attempts.flatMap(remarksOf),
  ];
  return [
    `${shortId(task.id)}  ${cleanLine(task.title)}\n\n`,
    tableText(head, rows, columns),
    remarks.length === 0 ? "" : `\n${remarks.join("")}`,
  ].join("");
}

/** The commits that the attempts start from. */
function baseLines(attempts: readonly AttemptDocument[], tense: BaseTense): string[] {
  return sharedLines(attempts, (attempt) => {
    const words = baseWords(attempt, tense);
    return words === null ? null : `Base: ${words}`;
  });
}

/** What the attempt began with, if that is the work of others. */
function originLine({ id, origin }: AttemptDocument): string[] {
  return origin === null ? [] : [`${shortId(id)} ${cleanLine(originWords(origin))}\n`];
}

/** What confined the agents. */
function isolationLines(attempts: readonly AttemptDocument[]): string[] {
  return sharedLines(attempts, (attempt) => {
    const run = workRuns(attempt).at(-1);
    const words = run === undefined ? null : isolationWords(run);
    const how = run?.isolation_reason ? " `tazuna doctor` says how to get more." : "";
    return words === null ? null : `Isolation: ${words}${how}`;
  });
}

/** One line if it is the same for all attempts. Else one for each kind, with its attempts. */
function sharedLines(
  attempts: readonly AttemptDocument[],
  lineOf: (attempt: AttemptDocument) => string | null,
): string[] {
  const lines = attempts.flatMap((attempt) => {
    const line = lineOf(attempt);
    return line === null ? [] : [{ id: shortId(attempt.id), line: cleanLine(line) }];
  });
  const kinds = [...Map.groupBy(lines, ({ line }) => line)];
  return kinds.map(([line, about]) => {
    const which = kinds.length === 1 ? "" : ` (${about.map(({ id }) => id).join(", ")})`;
    return `${line}${which}\n`;
  });
}

function attemptRow(attempt: AttemptDocument): string[] {
  return [
    `${shortId(attempt.id)}${attempt.chosen ? " *" : ""}`,
    agentText(attempt),
    `${presentAttempt(attempt, Date.now()).words}${besideState(attempt.pull_request)}${besideCopy(attempt)}`,
    changesText(attempt),
    attempt.commit?.slice(0, 12) ?? "-",
    cleanLine(attempt.branch),
  ];
}

/** Also on which worker it is, if that is another one. An older engine does not say. */
export function agentText({ agent, worker }: AttemptDocument): string {
  return cleanLine(worker ? `${agent} on ${worker.name}` : agent);
}

export function changesText({ changes }: AttemptDocument): string {
  if (changes === null) return "?";
  const { files, additions, deletions } = changes;
  return files === 0 ? "-" : `${files} ${files === 1 ? "file" : "files"} +${additions} -${deletions}`;
}

/** What keeps the attempt from its end, and the remedy; also the notes of its latest run. */
export function remarksOf(attempt: AttemptDocument): string[] {
  const name = `${shortId(attempt.id)} ${cleanLine(attempt.agent)}`;
  const trouble = cleanUpWords(attempt);
  if (trouble !== null) return [`${name}: ${cleanLine(trouble.why)}\n  ${trouble.remedy}\n`];
  const runs = workRuns(attempt);
  const latest = runs.findLast(({ started_at }) => started_at !== null) ?? runs.at(-1);
  if (latest === undefined) return [];
  const checks = checksWords(latest);
  const lines = [
    ...questionRemark(name, runs),
    ...(checks === null ? [] : [`${name}: ${checks}\n`]),
    ...latest.notes.map((note) => `${name}: ${cleanLine(note.message)}\n`),
  ];
  const failure = (tellingRun(attempt) ?? latest).failure;
  if (failure === null) return lines;
  // An attempt that is gone cannot be continued or retried.
  const remedy = isOpen(attempt) ? `  ${cleanLine(failure.remedy)}\n` : "";
  return [`${name}: ${cleanLine(failure.message)}\n${detailText(failure.details)}${remedy}`, ...lines];
}

/** What its agent asks, and the commands that answer it. */
function questionRemark(name: string, runs: readonly RunDocument[]): string[] {
  const asking = runs.find(({ question }) => question !== null);
  if (asking === undefined || asking.question === null) return [];
  const [first = "", ...rest] = questionLines(asking.question).map((line) => cleanText(line));
  const how = answerCommands(asking.id, asking.question).map((command) => `\`${command}\``);
  return [`${name} asks: ${first}\n`, ...rest.map((line) => `  ${line}\n`), `  ${how.join(" or ")}\n`];
}

/** Lines of findings and messages; `show` has them all. */
const MAX_DETAIL_LINES = 12;

function detailText(details: Parameters<typeof mainDetailLines>[0]): string {
  const lines = mainDetailLines(details).map((line) => `  ${cleanText(line).replaceAll("\n", " ")}\n`);
  const more = lines.length - MAX_DETAIL_LINES;
  return [...lines.slice(0, MAX_DETAIL_LINES), ...(more > 0 ? [`  (and ${more} more lines)\n`] : [])].join(
    "",
  );
}
