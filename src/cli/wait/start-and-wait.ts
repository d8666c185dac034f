/** Starts runs, waits for them, and tells their outcome: the body of every command that makes agents work. */
import { err, ok, type Result } from "neverthrow";
import { settlementOf } from "../../contract/settled.ts";
import type { TaskDocument } from "../../contract/task-document.ts";
import { newestRun } from "../../contract/words/attempt-standing.ts";
import type { CliError } from "../shared/cli-options.ts";
import type { Done, Outcome, Scope } from "../shared/command.ts";
import { onlyAttempts, shortId } from "../shared/resolve-id.ts";
import { taskTable } from "../view/task-text.ts";
import { exitCodeOf, runsOf } from "./exit-code.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { type Waited, waitForRuns } from "./wait-for-runs.ts";

interface StartAndWait {
  readonly scope: Scope;
  /** Starts them; answers the task with its concerned attempts. The command waits for their latest runs. */
  readonly start: () => Promise<Result<TaskDocument, CliError>>;
  /** Answers at once; the engine goes on in the background. */
  readonly detach: boolean;
  /** The text below the table of the ended runs. */
  readonly closing?: (document: TaskDocument) => string;
}

/** Ctrl-C stops the started runs. If it comes before the runs are known, it stops them as soon as they are. */
export async function startAndWait(options: StartAndWait): Promise<Outcome> {
  const { scope, start, detach, closing = () => "" } = options;
  const interrupts = listenForInterrupts(scope.terminal);
  try {
    const started = await Promise.race([start(), interrupts.second.then(() => null)]);
    if (started === null) {
      scope.terminal.stderr.write(
        "Interrupted before it was answered; `tazuna list` shows what was started.\n",
      );
      return ok({ exit: 130 });
    }
    if (started.isErr()) return err(started.error);
    const document = started.value;
    if (detach) return ok(detached(document));
    const runs = new Set(latestRuns(document));
    const attempts = document.attempts.map((attempt) => attempt.id);
    const waited = await waitForRuns({ scope, document, runs, interrupts, onInterrupt: "stop" });
    if (waited.isErr()) return err(waited.error);
    const end = onlyAttempts(waited.value.document, attempts);
    if (waited.value.interrupted !== null) scope.terminal.stderr.write(howToGoOn(end, runs, waited.value));
    const exit = waited.value.interrupted === null ? exitCodeOf(end, runs) : 130;
    const below = waited.value.interrupted === null ? closing(end) : "";
    const tense = end.attempts.every((attempt) => attempt.runs.length === 1) ? "now" : "then";
    return ok({ exit, document: end, text: (columns) => `${taskTable(end, columns, tense)}${below}` });
  } finally {
    interrupts.end();
  }
}

/** The newest run of each attempt. */
function latestRuns(document: TaskDocument): string[] {
  return document.attempts.flatMap((attempt) => newestRun(attempt.runs)?.id ?? []);
}

function detached(document: TaskDocument): Done {
  const id = shortId(document.task.id);
  return {
    document,
    text: (columns) => `${taskTable(document, columns)}\nWait for it with \`tazuna wait ${id}\`.\n`,
  };
}

function howToGoOn(document: TaskDocument, runs: ReadonlySet<string>, { interrupted }: Waited): string {
  const going = runsOf(document, runs).filter((run) => settlementOf(run) === "going");
  if (interrupted === "left" && going.length > 0)
    return `Left running in the background; \`tazuna wait ${shortId(document.task.id)}\` waits again.\n`;
  const lines = document.attempts
    .filter((attempt) => attempt.runs.some((run) => runs.has(run.id) && run.status === "CANCELED"))
    .map((attempt) => `  tazuna continue ${shortId(attempt.id)} "..."\n`);
  return lines.length === 0
    ? ""
    : `Stopped; branch, worktree and session are kept. To go on:\n${lines.join("")}`;
}
