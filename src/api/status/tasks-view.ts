/** Draws tasks and their attempts as HTML; all text of people and agents is escaped and cleaned. */
import { html } from "hono/html";
import type { AttemptDocument, ListedTask, RunDocument } from "../../contract/task-document.ts";
import { cleanLine, cleanText } from "../../contract/text.ts";
import { tellingRun, workRuns } from "../../contract/words/attempt-standing.ts";
import { mainDetailLines } from "../../contract/words/detail-words.ts";
import { elapsedText } from "../../contract/words/elapsed.ts";
import {
  checksWords,
  cleanUpWords,
  costText,
  isolationWords,
  presentAttempt,
  type RunFamily,
} from "../../contract/words/present-run.ts";

type Html = ReturnType<typeof html>;

export function tasksView(view: {
  readonly tasks: readonly ListedTask[];
  readonly more: boolean;
  readonly now: number;
}): Html {
  return html`<h1>${summaryOf(view.tasks)}</h1>
    ${view.tasks.map((task) => taskView(task, view.now))}
    ${view.more ? html`<p class="fine">Older tasks: <code>tazuna list --all</code></p>` : ""}
    <section class="start" aria-labelledby="start">
      <h2 id="start">Start one</h2>
      <p>In a repository, in a terminal; every <code>--agent</code> gets its own worktree and branch:</p>
      <pre><code>tazuna run "..." --agent claude-code --agent codex</code></pre>
      <p>Without key, network or agent, <code>tazuna demo</code> shows the whole loop.</p>
    </section>`;
}

/** The families whose counts come first in the summary, in this order, and their words. */
const IN_ORDER: ReadonlyMap<RunFamily, string> = new Map([
  ["needs", "waiting for you"],
  ["work", "working"],
  ["fail", "failed"],
  ["review", "done"],
]);

/** One sentence: how many attempts are in which state. */
function summaryOf(tasks: readonly ListedTask[]): string {
  const attempts = tasks.flatMap((task) => task.attempts);
  if (attempts.length === 0) return "No attempts yet.";
  const counts = new Map<string, number>([...IN_ORDER.values()].map((words) => [words, 0]));
  for (const attempt of attempts) {
    const { family, words } = presentAttempt(attempt);
    // A state that neither works nor needs a person has its own words: queued, stopped, removed, ...
    const told = IN_ORDER.get(family) ?? words.toLowerCase();
    counts.set(told, (counts.get(told) ?? 0) + 1);
  }
  const said = [...counts].filter(([, number]) => number > 0).map(([words, number]) => `${number} ${words}`);
  const total = `${attempts.length} ${attempts.length === 1 ? "attempt" : "attempts"}`;
  return said.length === 0 ? `${total}.` : `${total}: ${said.join(", ")}.`;
}

function taskView(task: ListedTask, now: number): Html {
  return html`<section class="task" aria-labelledby="task-${task.id}">
      <h2 id="task-${task.id}" dir="auto">${cleanLine(task.title)}</h2>
      <p class="fine">${cleanLine(task.repository.name)} · <time datetime="${task.created_at}">${task.created_at.slice(0, 16).replace("T", " ")} UTC</time> · <code>${task.id.slice(0, 8)}</code></p>
      ${task.attempts.map((attempt) => attemptView(attempt, now))}
    </section>`;
}

function attemptView(attempt: AttemptDocument, now: number): Html {
  const run = tellingRun(attempt) ?? workRuns(attempt).at(-1) ?? null;
  const { family, words } = presentAttempt(attempt);
  const trouble = cleanUpWords(attempt);
  return html`<article class="attempt ${family}" id="attempt-${attempt.id}" aria-labelledby="state-${attempt.id}">
      <p class="line"><span class="sign" aria-hidden="true"></span><strong id="state-${attempt.id}">${words}</strong>
        <span class="agent">${cleanLine(attempt.agent)}</span>${run === null ? "" : elapsedView(run, now)}</p>
      ${trouble === null ? "" : html`<p class="failure"><span dir="auto">${cleanText(trouble.why)}</span><br><span class="remedy">${trouble.remedy}</span></p>`}
      ${run === null ? "" : runView(run)}
      ${changesView(attempt)}
      ${(workRuns(attempt).findLast(({ started_at }) => started_at !== null)?.notes ?? []).map((note) => html`<p class="fine" dir="auto">Note: ${cleanLine(note.message)}</p>`)}
      <details id="facts-${attempt.id}"><summary>Branch and worktree</summary>
        <dl><dt>Attempt</dt><dd><code>${attempt.id}</code></dd>
          <dt>Branch</dt><dd><code>${cleanLine(attempt.branch)}</code></dd>
          <dt>Worktree</dt><dd><code>${cleanLine(attempt.worktree)}</code></dd>
          <dt>Base</dt><dd><code>${cleanLine(attempt.base.branch ?? "not resolved yet")}</code> ${attempt.base.sha?.slice(0, 12) ?? ""}</dd>
          ${run?.isolation ? html`<dt>Isolation</dt><dd>${cleanLine(isolationWords(run) ?? "")}</dd>` : ""}</dl></details>
    </article>`;
}

/** Lines of findings, or of a remote's message; `tazuna show` has them all. */
const MAX_DETAIL_LINES = 12;

function runView(run: RunDocument): Html {
  const { failure, last_action: action, summary } = run;
  const checks = checksWords(run);
  return html`${run.status === "RUNNING" && action !== null ? html`<p class="action" dir="auto">${cleanLine(action.text)}</p>` : ""}
      ${
        failure === null
          ? ""
          : html`<p class="failure"><span dir="auto">${cleanText(failure.message)}</span>${mainDetailLines(
              failure.details,
            )
              .slice(0, MAX_DETAIL_LINES)
              .map(
                (line) => html`<br><span dir="auto">${cleanText(line)}</span>`,
              )}<br><span class="remedy">${cleanLine(failure.remedy)}</span></p>`
      }
      ${summary && failure === null ? html`<p class="action" dir="auto">${cleanLine(summary).slice(0, 400)}</p>` : ""}
      ${checks === null ? "" : html`<p class="fine" dir="auto">${checks}</p>`}`;
}

/** Of the attempt as a whole: its changes against its base, its commit, and its cost. */
function changesView({ changes, commit, usage }: AttemptDocument): Html {
  const parts = [
    changes === null || changes.files === 0
      ? null
      : html`${changes.files} ${changes.files === 1 ? "file" : "files"} <span class="add">+${changes.additions}</span> <span class="del">−${changes.deletions}</span>`,
    commit === null ? null : html`commit <code>${commit.slice(0, 12)}</code>`,
    usage === null || usage.cost_usd === null ? null : html`${costText(usage)}`,
  ].filter((part) => part !== null);
  if (parts.length === 0) return html``;
  return html`<p class="fine">${parts.map((part, index) => (index === 0 ? part : html` · ${part}`))}</p>`;
}

/** The time at work so far; the page's script counts on if the run has not ended. */
function elapsedView(run: RunDocument, now: number): Html {
  const since = run.started_at ?? run.created_at;
  const until = run.ended_at === null ? now : Date.parse(run.ended_at);
  return html`<time class="elapsed" data-since="${since}" ${run.ended_at === null ? html`data-live` : ""}>${elapsedText(until - Date.parse(since))}</time>`;
}
