/** Draws tasks and their attempts as HTML; everything that people or agents wrote is escaped and cleaned. */
import { html } from "hono/html";
import { elapsedText } from "../../contract/elapsed.ts";
import { cleanUpWords, isolationWords, presentAttempt, type RunFamily } from "../../contract/present-run.ts";
import type { AttemptDocument, ListedTask, RunDocument } from "../../contract/task-document.ts";
import { cleanLine, cleanText } from "../../contract/text.ts";

type Html = ReturnType<typeof html>;

export function tasksView(of: {
  readonly tasks: readonly ListedTask[];
  readonly more: boolean;
  readonly now: number;
}): Html {
  return html`<h1>${summaryOf(of.tasks)}</h1>
    ${of.tasks.map((task) => taskView(task, of.now))}
    ${of.more ? html`<p class="fine">Older tasks: <code>tazuna list --all</code></p>` : ""}
    <section class="start" aria-labelledby="start">
      <h2 id="start">Start one</h2>
      <p>In a repository, in a terminal; every <code>--agent</code> gets its own worktree and branch:</p>
      <pre><code>tazuna run "INSTRUCTION" --agent claude-code --agent codex</code></pre>
      <p>Without key, network or agent, <code>tazuna demo</code> shows the whole loop.</p>
    </section>`;
}

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
    // What neither works nor asks for anybody is told in its own words: queued, stopped, removed, ...
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
  const run = attempt.runs.at(-1);
  const { family, words } = presentAttempt(attempt);
  const trouble = cleanUpWords(attempt);
  return html`<article class="attempt ${family}" id="attempt-${attempt.id}" aria-labelledby="state-${attempt.id}">
      <p class="line"><span class="sign" aria-hidden="true"></span><strong id="state-${attempt.id}">${words}</strong>
        <span class="agent">${cleanLine(attempt.agent)}</span>${run === undefined ? "" : elapsedView(run, now)}</p>
      ${trouble === null ? "" : html`<p class="failure"><span dir="auto">${cleanText(trouble.why)}</span><br><span class="remedy">${trouble.remedy}</span></p>`}
      ${run === undefined ? "" : runView(run)}
      <details id="facts-${attempt.id}"><summary>Branch and worktree</summary>
        <dl><dt>Attempt</dt><dd><code>${attempt.id}</code></dd>
          <dt>Branch</dt><dd><code>${cleanLine(attempt.branch)}</code></dd>
          <dt>Worktree</dt><dd><code>${cleanLine(attempt.worktree)}</code></dd>
          <dt>Base</dt><dd><code>${cleanLine(attempt.base.branch ?? "not resolved yet")}</code> ${attempt.base.sha?.slice(0, 12) ?? ""}</dd>
          ${run?.isolation ? html`<dt>Isolation</dt><dd>${cleanLine(isolationWords(run) ?? "")}</dd>` : ""}</dl></details>
    </article>`;
}

function runView(run: RunDocument): Html {
  const { failure, patch, commit, last_action: action, summary } = run;
  return html`${run.status === "RUNNING" && action !== null ? html`<p class="action" dir="auto">${cleanLine(action.text)}</p>` : ""}
      ${failure === null ? "" : html`<p class="failure"><span dir="auto">${cleanText(failure.message)}</span><br><span class="remedy">${cleanLine(failure.remedy)}</span></p>`}
      ${summary && failure === null ? html`<p class="action" dir="auto">${cleanLine(summary).slice(0, 400)}</p>` : ""}
      ${patch === null || patch.files === 0 ? "" : html`<p class="fine">${patch.files} ${patch.files === 1 ? "file" : "files"} <span class="add">+${patch.additions}</span> <span class="del">−${patch.deletions}</span>${commit === null ? "" : html` · commit <code>${commit.slice(0, 12)}</code>`}</p>`}
      ${run.notes.map((note) => html`<p class="fine" dir="auto">Note: ${cleanLine(note.message)}</p>`)}`;
}

/** Time at work so far; the page's script counts on where it has not ended. */
function elapsedView(run: RunDocument, now: number): Html {
  const since = run.started_at ?? run.created_at;
  const until = run.ended_at === null ? now : Date.parse(run.ended_at);
  return html`<time class="elapsed" data-since="${since}" ${run.ended_at === null ? html`data-live` : ""}>${elapsedText(until - Date.parse(since))}</time>`;
}
