/** Asks for runs to end and waits until they have: the body of stop and cancel. */
import { err, ok, type Result } from "neverthrow";
import { hasEnded } from "../contract/settled.ts";
import type { TaskDocument } from "../contract/task-document.ts";
import type { CliError } from "./cli-options.ts";
import type { Outcome, Scope } from "./command.ts";
import type { Engine } from "./engine.ts";
import { onlyAttempts } from "./resolve-id.ts";
import { taskTable } from "./view/task-text.ts";
import { runsOf } from "./wait/exit-code.ts";
import { listenForInterrupts } from "./wait/interrupts.ts";
import { waitForRuns } from "./wait/wait-for-runs.ts";

export interface EndAndWait {
  readonly scope: Scope;
  readonly engine: Engine;
  readonly ask: () => Promise<Result<TaskDocument, CliError>>;
  readonly attempts: readonly string[];
  /** Of a task's runs, those that have to end. */
  readonly runs: (document: TaskDocument) => readonly string[];
  /** What has to hold beside that, or never will by waiting. */
  readonly until?: (document: TaskDocument) => boolean;
  /** What was not done, once nothing more is waited for; null where all was. */
  readonly undone?: (document: TaskDocument) => CliError | null;
}

/** How long `until` may take once the runs have ended. */
const PATIENCE_MS = 60_000;

/** Ctrl-C ends the waiting; what was asked for is carried out all the same. */
export async function endAndWait(options: EndAndWait): Promise<Outcome> {
  const { scope, engine, attempts } = options;
  const interrupts = listenForInterrupts(scope.terminal);
  try {
    const asked = await options.ask();
    if (asked.isErr()) return err(asked.error);
    const runs = new Set(options.runs(asked.value));
    const until = options.until ?? (() => true);
    let endedAt: number | null = null;
    const waited = await waitForRuns({
      scope,
      engine,
      document: asked.value,
      runs,
      interrupts,
      onInterrupt: "leave",
      until: (document) => {
        if (!runsOf(document, runs).every(hasEnded)) return false;
        endedAt ??= scope.terminal.now();
        return until(document) || scope.terminal.now() - endedAt > PATIENCE_MS;
      },
    });
    if (waited.isErr()) return err(waited.error);
    const document = onlyAttempts(waited.value.document, attempts);
    const { interrupted } = waited.value;
    const undone = interrupted === null ? (options.undone?.(document) ?? null) : null;
    if (undone !== null) return err(undone);
    return ok({
      exit: interrupted === null ? 0 : 130,
      document,
      text: (columns) => taskTable(document, columns),
    });
  } finally {
    interrupts.end();
  }
}
