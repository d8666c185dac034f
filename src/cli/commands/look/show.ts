/** Shows a task, an attempt or a run, whatever the id stands for. */
import { err, ok } from "neverthrow";
import { argument, defineCommand } from "../../shared/command.ts";
import { createEngine } from "../../shared/engine.ts";
import { resolveAny } from "../../shared/resolve-id.ts";
import { attemptDetails, runDetails, taskDetails } from "../../view/details-text.ts";
import { taskTable } from "../../view/task-text.ts";

export const showCommand = defineCommand({
  brief: "Show a task, an attempt or a run",
  args: [argument("ID", "A task, an attempt or a run")],
  async act(scope, _flags, id) {
    const engine = createEngine(scope, { foreground: false });
    const any = await resolveAny(engine, id);
    if (any.isErr()) return err(any.error);
    const { found, document } = any.value;
    switch (found.type) {
      case "task":
        return ok({
          exit: 0,
          document,
          text: (columns) => `${taskDetails(document)}\n${taskTable(document, columns)}`,
        });
      case "attempt": {
        const attempt = await engine.ask((client) => client.attempt(found.id));
        return attempt.map((value) => ({ exit: 0, document: value, text: attemptDetails(value) }));
      }
      case "run": {
        const run = await engine.ask((client) => client.run(found.id));
        return run.map((value) => ({ exit: 0, document: value, text: runDetails(value) }));
      }
    }
  },
});
