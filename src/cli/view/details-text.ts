/** Writes everything about one attempt or one run, a fact a line. */
import { cleanUpWords, isolationWords, presentAttempt, presentRun } from "../../contract/present-run.ts";
import type { AttemptAlone, RunAlone, RunDocument, TaskDocument } from "../../contract/task-document.ts";
import { cleanLine, cleanText } from "../../contract/text.ts";

type Fact = readonly [name: string, value: string | null];

export function taskDetails({ task }: TaskDocument): string {
  return factsText([
    ["Task", task.id],
    ["Title", cleanLine(task.title)],
    ["Repository", `${cleanLine(task.repository.name)} (${cleanLine(task.repository.path)})`],
    ["Base", task.base && cleanLine(task.base)],
    ["Publish", task.publish],
    ["Created", task.created_at],
    ["Issue", indented(task.issue)],
    ["Context", task.context && indented(task.context)],
    ["Constraints", task.constraints && indented(task.constraints)],
  ]);
}

export function attemptDetails(attempt: AttemptAlone): string {
  const { base } = attempt;
  const trouble = cleanUpWords(attempt);
  const facts = factsText([
    ["Attempt", attempt.id],
    ["Task", attempt.task],
    ["Agent", cleanLine(attempt.model === null ? attempt.agent : `${attempt.agent} (${attempt.model})`)],
    ["State", trouble === null ? attempt.state : presentAttempt(attempt).words],
    ["Why", trouble && cleanLine(trouble.why)],
    ["Remedy", trouble?.remedy ?? null],
    ["Tried", attempt.clean_up?.tried_at ?? null],
    ["Again", attempt.clean_up?.again_at ?? null],
    ["Branch", cleanLine(attempt.branch)],
    ["Base", `${cleanLine(base.branch ?? "not resolved yet")}${base.sha === null ? "" : ` at ${base.sha}`}`],
    ["Worktree", cleanLine(attempt.worktree)],
    ["Created", attempt.created_at],
  ]);
  return [facts, ...attempt.runs.map((run) => `\n${runFacts(run)}`)].join("");
}

export function runDetails(run: RunAlone): string {
  return `${runFacts(run)}${factsText([
    ["Attempt", run.attempt],
    ["Task", run.task],
  ])}`;
}

function runFacts(run: RunDocument): string {
  const { failure, patch, usage } = run;
  return factsText([
    ["Run", `${run.id} (number ${run.number})`],
    ["State", presentRun(run).words],
    ["Why", failure && indented(failure.message)],
    ["Remedy", failure && cleanLine(failure.remedy)],
    [
      "Details",
      failure && Object.keys(failure.details).length > 0 ? indented(detailsText(failure.details)) : null,
    ],
    ["Instruction", run.instruction === "" ? null : indented(run.instruction)],
    ["Last action", run.status === "RUNNING" && run.last_action ? cleanLine(run.last_action.text) : null],
    ["Summary", run.summary ? indented(run.summary) : null],
    ["Commit", run.commit],
    [
      "Changes",
      patch &&
        `${patch.files} ${patch.files === 1 ? "file" : "files"}, +${patch.additions} -${patch.deletions}`,
    ],
    ["Patch", patch?.path ? cleanLine(patch.path) : null],
    ["Usage", usage && usageText(usage)],
    ["Isolation", cleanedOrNull(isolationWords(run))],
    ...run.notes.map((note): Fact => ["Note", cleanLine(note.message)]),
    ["Started", run.started_at],
    ["Ended", run.ended_at],
  ]);
}

function cleanedOrNull(text: string | null): string | null {
  return text === null ? null : cleanLine(text);
}

function usageText(usage: NonNullable<RunDocument["usage"]>): string {
  const cost =
    usage.cost_usd === null
      ? ""
      : `, $${usage.cost_usd.toFixed(4)}${usage.cost_estimated ? " (estimated)" : ""}`;
  return `${usage.input_tokens} tokens in (${usage.cached_input_tokens} cached), ${usage.output_tokens} out${cost}`;
}

function detailsText(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}

function factsText(facts: readonly Fact[]): string {
  return facts
    .filter((fact): fact is readonly [string, string] => fact[1] !== null)
    .map(([name, value]) => `${name.padEnd(12)} ${value}\n`)
    .join("");
}

/** Lines after the first begin under the first. */
function indented(text: string): string {
  return cleanText(text)
    .trim()
    .replaceAll("\n", `\n${" ".repeat(13)}`);
}
