/** Interrupts working agents; branch, worktree and session stay. */
import { partOf } from "../../../contract/client/named-thing.ts";
import { hasEnded } from "../../../contract/settled.ts";
import type { TaskDocument } from "../../../contract/task-document.ts";
import { argument, defineCommand } from "../../shared/command.ts";
import { onlyAttempts, resolveAny } from "../../shared/resolve-id.ts";
import { endAndWait } from "../../wait/end-and-wait.ts";

export const stopCommand = defineCommand({
  brief: "Interrupt a run; branch, worktree and session stay, and `continue` goes on",
  args: [argument("ID", "A run; an attempt, or a task for all of them: what works stops, the queue is held")],
  async *act(scope, _flags, id) {
    const any = yield* await resolveAny(scope.engine, id);
    const { found } = any;
    const attempts = partOf(any).attempts.map((attempt) => attempt.id);
    const stopped = (document: TaskDocument) =>
      onlyAttempts(document, attempts)
        .attempts.flatMap(({ runs }) => runs)
        .filter((run) => !hasEnded(run) && !run.held)
        .map((run) => run.id);
    return endAndWait({
      scope,
      ask: () => scope.engine.ask((client) => client.stop(found)),
      attempts,
      runs: (document) => (found.type === "run" ? [found.id] : stopped(document)),
    });
  },
});
