/** Waits until a task, an attempt or a run has ended. */
import { err, ok } from "neverthrow";
import { partOf } from "../../../contract/client/named-thing.ts";
import { hasEnded } from "../../../contract/settled.ts";
import type { AttemptDocument } from "../../../contract/task-document.ts";
import { argument, defineCommand } from "../../shared/command.ts";
import { onlyAttempts, resolveAny } from "../../shared/resolve-id.ts";
import { taskTable } from "../../view/task-text.ts";
import { exitCodeOf } from "../../wait/exit-code.ts";
import { listenForInterrupts } from "../../wait/interrupts.ts";
import { waitForRuns } from "../../wait/wait-for-runs.ts";

export const waitCommand = defineCommand({
  brief: "Wait until a task, an attempt or a run has ended; Ctrl-C only ends the waiting",
  args: [argument("ID", "A task, an attempt or a run")],
  async *act(scope, _flags, id) {
    const any = yield* await resolveAny(scope.engine, id);
    const document = partOf(any);
    const runs = new Set(any.found.type === "run" ? [any.found.id] : document.attempts.flatMap(lastToWork));
    const attempts = document.attempts.map((attempt) => attempt.id);
    const interrupts = listenForInterrupts(scope.terminal);
    try {
      const waited = await waitForRuns({ scope, document, runs, interrupts, onInterrupt: "leave" });
      if (waited.isErr()) return err(waited.error);
      const end = onlyAttempts(waited.value.document, attempts);
      const exit = waited.value.interrupted === null ? exitCodeOf(end, runs) : 130;
      return ok({ exit, document: end, text: (columns) => taskTable(end, columns) });
    } finally {
      interrupts.end();
    }
  },
});

/** The run after which nothing of the attempt goes on by itself: the last of its queue, else the last one that worked. */
function lastToWork({ runs }: AttemptDocument): string[] {
  const last =
    runs.findLast((run) => !hasEnded(run) && !run.held) ??
    runs.findLast((run) => !hasEnded(run)) ??
    runs.findLast(({ started_at }) => started_at !== null) ??
    runs.at(-1);
  return last === undefined ? [] : [last.id];
}
