/** Writes all details of one attempt or one run, a fact a line. */
import type { AttemptAlone, RunAlone, RunDocument, TaskDocument } from "../../contract/task-document.ts";
import { cleanLine, cleanText } from "../../contract/text.ts";
import { actorWords, needsNames } from "../../contract/words/actor-words.ts";
import { baseWords } from "../../contract/words/base-words.ts";
import { detailLines } from "../../contract/words/detail-words.ts";
import { sourceWords } from "../../contract/words/origin-words.ts";
import {
  checkWords,
  cleanUpWords,
  costText,
  isolationWords,
  presentAttempt,
  presentRunAt,
} from "../../contract/words/present-run.ts";
import { answerCommands, questionLines } from "../../contract/words/question-words.ts";
import { cameBackLines, copyLines } from "./copy-text.ts";
import { pullRequestLines } from "./pull-request-text.ts";

type Fact = readonly [name: string, value: string | null];

export function taskDetails({ task, attempts }: TaskDocument): string {
  const [first] = attempts.flatMap(({ runs }) => runs);
  return factsText([
    ["Task", task.id],
    ["Title", cleanLine(task.title)],
    ["Asked by", first ? askedText(first) : null],
    ["Repository", `${cleanLine(task.repository.name)} (${cleanLine(task.repository.path)})`],
    ["Base", task.base && cleanLine(task.base)],
    ["Publish", task.publish],
    ["Created", task.created_at],
    ["Issue", indented(task.issue)],
    ["Context", task.context && indented(task.context)],
    ["Constraints", task.constraints && indented(task.constraints)],
    ...decisionFacts(task.decision),
  ]);
}

export function attemptDetails(attempt: AttemptAlone): string {
  const { base } = attempt;
  const trouble = cleanUpWords(attempt);
  const facts = factsText([
    ["Attempt", attempt.id],
    ["Task", attempt.task],
    ["Agent", cleanLine(attempt.model === null ? attempt.agent : `${attempt.agent} (${attempt.model})`)],
    ["State", presentAttempt(attempt, Date.now()).words],
    ["Why", trouble && cleanLine(trouble.why)],
    ["Remedy", trouble?.remedy ?? null],
    ["Tried", attempt.clean_up?.tried_at ?? null],
    ["Again", attempt.clean_up?.again_at ?? null],
    ["Branch", cleanLine(attempt.branch)],
    ["Base", cleanLine(baseWords(attempt, "then") ?? base.branch ?? "not resolved yet")],
    ["Base commit", base.sha],
    ...(attempt.origin?.sources ?? []).map((source): Fact => ["From", cleanLine(sourceWords(source))]),
    ["Commit", attempt.commit],
    ["Merged", attempt.merged && mergedText(attempt.merged)],
    ["Changes", attempt.changes === null ? "could not be counted" : changesText(attempt.changes)],
    ["Usage", attempt.usage && usageText(attempt.usage)],
    ["Worktree", cleanLine(attempt.worktree)],
    ["Worker", attempt.worker ? cleanLine(attempt.worker.name) : null],
    ...copyLines(attempt),
    ...cameBackLines(attempt),
    ["Session", cleanedOrNull(attempt.session)],
    ...(attempt.pull_request === null ? [] : pullRequestLines(attempt.pull_request)),
    ["Created", attempt.created_at],
    ...decisionFacts(attempt.decision),
  ]);
  return [facts, ...attempt.runs.map((run) => `\n${runFacts(run)}`)].join("");
}

function mergedText({ target, commit, by, at }: NonNullable<AttemptAlone["merged"]>): string {
  return `into ${cleanLine(target)}, as ${commit.slice(0, 12)}, by ${by === "tazuna" ? "Tazuna" : `a ${by}`}, ${at}`;
}

function decisionFacts(decision: TaskDocument["task"]["decision"]): readonly Fact[] {
  if (decision === null) return [];
  const { attempt, by, at, reason, tripwire } = decision;
  return [
    ["Chosen", `${attempt}${by === null ? "" : ` by ${cleanLine(by)}`}, ${at}`],
    ["Reason", indented(reason)],
    ["Tripwire", tripwire && indented(tripwire)],
  ];
}

export function runDetails(run: RunAlone): string {
  return `${runFacts(run)}${factsText([
    ["Attempt", run.attempt],
    ["Task", run.task],
  ])}`;
}

function runFacts(run: RunDocument): string {
  const { failure, patch, usage, question } = run;
  return factsText([
    ["Run", `${run.id} (number ${run.number})`],
    ["Review by", cleanedOrNull(run.reviewer)],
    ["Asked by", askedText(run)],
    ["State", presentRunAt(run, Date.now()).words],
    ["Stopped by", run.stopped_by === undefined ? null : askedText({ actor: run.stopped_by })],
    ["Place", run.position === null ? null : `${run.position} in the queue of its attempt`],
    ["Asks", question && indented(questionLines(question).join("\n"))],
    ["Answer", question && answerCommands(run.id, question).join("  or  ")],
    ["Why", failure && indented(failure.message)],
    ["Remedy", failure && cleanLine(failure.remedy)],
    [
      "Details",
      failure && Object.keys(failure.details).length > 0
        ? indented(detailLines(failure.details).join("\n"))
        : null,
    ],
    ["Instruction", run.instruction === "" ? null : indented(run.instruction)],
    ["Last action", run.status === "RUNNING" && run.last_action ? cleanLine(run.last_action.text) : null],
    ["Summary", run.summary ? indented(run.summary) : null],
    ["Commit", run.commit],
    ["Changes", patch && changesText(patch)],
    ["Patch", patch?.path ? cleanLine(patch.path) : null],
    ["Usage", usage && usageText(usage)],
    ...run.checks.map((check): Fact => ["Check", `${cleanLine(check.name)} ${checkWords(check)}`]),
    ["Isolation", cleanedOrNull(isolationWords(run))],
    ...run.notes.map((note): Fact => ["Note", cleanLine(note.message)]),
    ["Started", run.started_at],
    ["Ended", run.ended_at],
  ]);
}

/** Null if it was the owner of the only machine. */
function askedText({ actor }: Pick<RunDocument, "actor">): string | null {
  return needsNames([actor]) || actor?.name ? cleanLine(actorWords(actor)) : null;
}

function changesText({ files, additions, deletions }: NonNullable<AttemptAlone["changes"]>): string {
  return `${files} ${files === 1 ? "file" : "files"}, +${additions} -${deletions}`;
}

function cleanedOrNull(text: string | null): string | null {
  return text === null ? null : cleanLine(text);
}

function usageText(usage: NonNullable<RunDocument["usage"]>): string {
  const cost = usage.cost_usd === null ? "" : `, ${costText(usage)}`;
  return `${usage.input_tokens} tokens in (${usage.cached_input_tokens} cached), ${usage.output_tokens} out${cost}`;
}

function factsText(facts: readonly Fact[]): string {
  return facts
    .filter((fact): fact is readonly [string, string] => fact[1] !== null)
    .map(([name, value]) => `${name.padEnd(12)} ${value}\n`)
    .join("");
}

/** Further lines begin below the beginning of the first. */
function indented(text: string): string {
  return cleanText(text)
    .trim()
    .replaceAll("\n", `\n${" ".repeat(13)}`);
}
