/** Puts an attempt's files back to the state that a run left. */
import { argument, defineCommand } from "../../shared/command.ts";
import { resolveRun } from "../../shared/resolve-id.ts";
import { operationText } from "../../view/operation-text.ts";

export const restoreCommand = defineCommand({
  brief: "Put an attempt's files back to what a run left, after a snapshot of what is there now",
  args: [argument("RUN", "A run, or an attempt for its latest run")],
  async *act({ engine }, _flags, id) {
    const { run } = yield* await resolveRun(engine, id);
    const restored = await engine.ask((client) => client.restoreRun(run.id));
    return restored.map((document) => ({ document, text: operationText(document.operation) }));
  },
});
