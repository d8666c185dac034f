/** Writes title and body of a pull request: the summary, the repository's template, checks, what was allowed, the decision. */
import type { Attempt } from "../attempt/attempt.ts";
import type { Allowance } from "../publish/allowance.ts";
import type { CheckResult } from "../run/check.ts";
import type { Task } from "../task/task.ts";

interface WordsInput {
  readonly task: Pick<Task, "id" | "title" | "issue">;
  readonly attempt: Pick<Attempt, "id" | "agent">;
  /** What the agent said of each run that made a commit, oldest first. */
  readonly summaries: readonly string[];
  /** The repository's own template; null if it has none. */
  readonly template: string | null;
  /** Of the newest run that has any. */
  readonly checks: readonly Pick<CheckResult, "name" | "required" | "outcome" | "durationMs">[];
  readonly allowances: readonly Allowance[];
  readonly decision: DecisionWords | null;
}

/** Why this attempt was chosen. */
export interface DecisionWords {
  readonly reason: string;
  readonly tripwire: string | null;
  /** Agents of the other attempts. */
  readonly alternatives: readonly string[];
}

/** The smallest limits of the forges, in UTF-16 units: GitLab's title (with room for the mark of a draft), GitHub's body. */
const MAX_TITLE = 240;
const MAX_BODY = 60_000;

export function pullRequestWords(input: WordsInput): { readonly title: string; readonly body: string } {
  return { title: titleWords(input.task.title), body: clip(bodyWords(input), MAX_BODY) };
}

/** One line, without what a terminal or a forge would read as a control. */
export function titleWords(text: string): string {
  return clip(text.replace(/[\s\p{Cc}]+/gu, " ").trim(), MAX_TITLE);
}

function bodyWords(input: WordsInput): string {
  const { template, task, attempt } = input;
  const summary = summaryWords(input);
  const parts = [
    template === null || template.trim() === "" ? summary : intoTemplate(template.trim(), summary),
    section("Checks", input.checks.map(checkLine)),
    section("Published although held back", input.allowances.map(allowanceLine)),
    section("Decision", input.decision === null ? [] : decisionLines(input.decision)),
    `<sub>Made by ${attempt.agent} with Tazuna: task ${task.id.slice(0, 8)}, attempt ${attempt.id.slice(0, 8)}.</sub>`,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function summaryWords({ summaries, task }: WordsInput): string {
  const said = summaries.map((text) => text.trim()).filter((text) => text !== "");
  const [only] = said;
  if (only === undefined) return clip(task.issue.trim(), MAX_ISSUE);
  return said.length === 1 ? only : said.map((text) => `- ${text.replaceAll("\n", "\n  ")}`).join("\n");
}

const MAX_ISSUE = 4_000;

const SUMMARY_HEADING = /^#{1,6}[ \t]+.*(?:summary|description|what|changes|概要|説明|内容|変更).*$/im;

/** Below the template's own heading for it, else in front. */
function intoTemplate(template: string, summary: string): string {
  const found = SUMMARY_HEADING.exec(template);
  if (found === null) return `${summary}\n\n${template}`;
  const end = found.index + found[0].length;
  return `${template.slice(0, end)}\n\n${summary}${template.slice(end)}`;
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `### ${heading}\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

function checkLine({ name, required, outcome, durationMs }: WordsInput["checks"][number]): string {
  const how = outcome.replace("_", " ");
  return `${name}: ${how}${required ? "" : " (not required)"}, ${(durationMs / 1000).toFixed(1)} s`;
}

/** Names the person without their address. */
function allowanceLine({ by, reason, findings, checks }: Allowance): string {
  const what = [
    ...findings.map(({ rule, path }) => `${rule} in \`${path}\``),
    ...checks.map((name) => `check ${name}`),
  ];
  return `${what.join(", ")}: ${oneLine(reason)} (${by.replace(/\s*<[^>]*>$/, "")})`;
}

function decisionLines({ reason, tripwire, alternatives }: DecisionWords): readonly string[] {
  const against = alternatives.length === 0 ? "" : ` over ${alternatives.join(", ")}`;
  return [
    `Chosen${against}: ${oneLine(reason)}`,
    ...(tripwire === null ? [] : [`To be reconsidered if: ${oneLine(tripwire)}`]),
  ];
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

/** At most `max` UTF-16 units, never half a surrogate pair. */
function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
