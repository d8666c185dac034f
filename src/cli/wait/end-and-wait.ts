/** Asks for runs to end and waits until they have: the body of stop and cancel. */
import { err, ok, type Result } from "neverthrow";
import { hasEnded } from "../../contract/settled.ts";
import type { TaskDocument } from "../../contract/task-document.ts";
import type { CliError } from "../shared/cli-options.ts";
import type { Outcome, Scope } from "../shared/command.ts";
import { onlyAttempts } from "../shared/resolve-id.ts";
import { taskTable } from "../view/task-text.ts";
import { runsOf } from "./exit-code.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { waitForRuns } from "./wait-for-runs.ts";

interface EndAndWait {
  readonly scope: Scope;
  readonly ask: () => Promise<Result<TaskDocument, CliError>>;
  readonly attempts: readonly string[];
  /** The runs of the task that have to end. */
  readonly runs: (document: TaskDocument) => readonly string[];
  /** True once the other conditions hold, or once waiting cannot fulfil them. */
  readonly until?: (document: TaskDocument) => boolean;
  /** The error for what was not done, at the end of the wait; null if all was done. */
  readonly undone?: (document: TaskDocument) => CliError | null;
  /** The text below the table. */
  readonly more?: (document: TaskDocument) => Promise<string>;
}

/** How long `until` may take once the runs have ended. */
const TIMEOUT_MS = 60_000;

/** Ctrl-C ends only the wait; the request is still carried out. */
export async function endAndWait(options: EndAndWait): Promise<Outcome> {
  const { scope, attempts } = options;
  const interrupts = listenForInterrupts(scope.terminal);
  try {
    const asked = await options.ask();
    if (asked.isErr()) return err(asked.error);
    const runs = new Set(options.runs(asked.value));
    const until = options.until ?? (() => true);
    let endedAt: number | null = null;
    const waited = await waitForRuns({
      scope,
      document: asked.value,
      runs,
      interrupts,
      onInterrupt: "leave",
      until: (document) => {
        if (!runsOf(document, runs).every(hasEnded)) return false;
        endedAt ??= scope.terminal.now();
        return until(document) || scope.terminal.now() - endedAt > TIMEOUT_MS;
      },
    });
    if (waited.isErr()) return err(waited.error);
    const document = onlyAttempts(waited.value.document, attempts);
    const { interrupted } = waited.value;
    const undone = interrupted === null ? (options.undone?.(document) ?? null) : null;
    if (undone !== null) return err(undone);
    const more = scope.json ? "" : ((await options.more?.(document)) ?? "");
    return ok({
      exit: interrupted === null ? 0 : 130,
      document,
      text: (columns) => `${taskTable(document, columns)}${more}`,
    });
  } finally {
    interrupts.end();
  }
}
