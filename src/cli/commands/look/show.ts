/** Shows a task, an attempt or a run, whatever the id stands for. */
import { ok } from "neverthrow";
import { argument, defineCommand } from "../../shared/command.ts";
import { resolveAny } from "../../shared/resolve-id.ts";
import { commentsText } from "../../view/comments-text.ts";
import { attemptDetails, runDetails, taskDetails } from "../../view/details-text.ts";
import { taskTable } from "../../view/task-text.ts";

export const showCommand = defineCommand({
  brief: "Show a task, an attempt or a run",
  args: [argument("ID", "A task, an attempt or a run")],
  async *act({ engine }, _flags, id) {
    const { found, document } = yield* await resolveAny(engine, id);
    switch (found.type) {
      case "task":
        return ok({
          document,
          text: (columns) => `${taskDetails(document)}\n${taskTable(document, columns)}`,
        });
      case "attempt": {
        const attempt = await engine.ask((client) => client.attempt(found.id));
        const { items: comments } = yield* await engine.ask((client) => client.comments(found.id));
        return attempt.map((value) => ({
          document: { ...value, comments },
          text: `${attemptDetails(value)}${comments.length === 0 ? "" : `\nComments\n\n${commentsText(comments)}`}`,
        }));
      }
      case "run": {
        const run = await engine.ask((client) => client.run(found.id));
        return run.map((value) => ({ document: value, text: runDetails(value) }));
      }
    }
  },
});
