/** Waits for runs and shows their progress; Ctrl-C stops those that the command started. */
import { ok, type Result } from "neverthrow";
import { pause } from "../../contract/client/pause.ts";
import { watchTask } from "../../contract/client/watch-task.ts";
import { hasEnded } from "../../contract/settled.ts";
import type { TaskDocument } from "../../contract/task-document.ts";
import { createTaskProgress, type TaskProgress } from "../progress/task-progress.ts";
import type { CliError } from "../shared/cli-options.ts";
import type { Scope } from "../shared/command.ts";
import { allSettled, runsOf } from "./exit-code.ts";
import type { Interrupts } from "./interrupts.ts";

interface WaitForRuns {
  readonly scope: Scope;
  readonly document: TaskDocument;
  readonly runs: ReadonlySet<string>;
  readonly interrupts: Interrupts;
  /** Whether the first Ctrl-C stops the runs (they are this command's own) or only the wait. */
  readonly onInterrupt: "stop" | "leave";
  /** A further condition, beside the end of all runs. */
  readonly until?: (document: TaskDocument) => boolean;
}

export interface Waited {
  readonly document: TaskDocument;
  /** `stopped`: Ctrl-C stopped the runs; `left`: Ctrl-C left them running. */
  readonly interrupted: "stopped" | "left" | null;
}

const INTERRUPT_GRACE_MS = 1000;

/** Waits until all of `runs` are settled and `until` holds, or until Ctrl-C ends the wait. Answers the task as last seen. */
export async function waitForRuns(options: WaitForRuns): Promise<Result<Waited, CliError>> {
  const { runs, interrupts } = options;
  const progress = createTaskProgress(options.scope.terminal, runs);
  const leave = new AbortController();
  let latest = options.document;
  const watching = watchTask({
    engine: options.scope.engine,
    task: latest.task.id,
    until: (document) => allSettled(document, runs) && (options.until?.(document) ?? true),
    onDocument: (document) => {
      latest = document;
      progress.known(document);
    },
    onFact: progress.fact,
    signal: leave.signal,
  });
  progress.known(latest);
  const pressed = await Promise.race([watching.then(() => false), interrupts.first.then(() => true)]);
  if (!pressed) {
    const watched = await watching;
    progress.end();
    return watched.map(() => ({ document: latest, interrupted: null }));
  }
  const interrupted = await interrupt(options, { progress, watching, latest: () => latest });
  // Not awaited: it may be connecting to an engine that does not come.
  leave.abort();
  watching.catch(() => undefined);
  progress.end();
  return ok({ document: latest, interrupted });
}

/** The wait that Ctrl-C interrupts. */
interface WaitInProgress {
  readonly progress: TaskProgress;
  readonly watching: Promise<unknown>;
  readonly latest: () => TaskDocument;
}

/** A second Ctrl-C leaves the runs alone; so the first one waits a moment before it stops them. */
async function interrupt(options: WaitForRuns, wait: WaitInProgress): Promise<"stopped" | "left"> {
  if (options.onInterrupt === "leave") return "left";
  const { interrupts, runs, scope } = options;
  const settled = wait.watching.then(() => "settled" as const);
  const second = interrupts.second.then(() => "second" as const);
  // A settled run may not have ended: it may wait for its provider, and can still be stopped.
  const unfinished = () => runsOf(wait.latest(), runs).filter((run) => !hasEnded(run));
  const number = unfinished().length;
  wait.progress.say(
    `Stopping ${number === 1 ? "the run" : `${number} runs`}; press Ctrl-C again to leave ${number === 1 ? "it" : "them"} running.`,
  );
  const grace = new AbortController();
  const graceOver = pause(scope.interruptGraceMs ?? INTERRUPT_GRACE_MS, grace.signal).then(
    () => "over" as const,
  );
  const cameFirst = await Promise.race([settled, second, graceOver]);
  grace.abort();
  if (cameFirst === "second") return "left";
  // A run that ended meanwhile refuses the stop; the result is the same.
  const stops = Promise.all(
    unfinished().map((run) => scope.engine.ask((client) => client.stop({ type: "run", id: run.id }))),
  );
  const end = await Promise.race([stops.then(() => settled), second]);
  return end === "second" ? "left" : "stopped";
}
