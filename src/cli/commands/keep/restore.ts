/** Puts an attempt's files back to the state that a run left. */
import { err } from "neverthrow";
import { argument, defineCommand } from "../../shared/command.ts";
import { createEngine } from "../../shared/engine.ts";
import { resolveRun } from "../../shared/resolve-id.ts";
import { operationText } from "../../view/operation-text.ts";

export const restoreCommand = defineCommand({
  brief: "Put an attempt's files back to what a run left, after a snapshot of what is there now",
  args: [argument("RUN", "A run, or an attempt for its latest run")],
  async act(scope, _flags, id) {
    const engine = createEngine(scope, { foreground: false });
    const found = await resolveRun(engine, id);
    if (found.isErr()) return err(found.error);
    const restored = await engine.ask((client) => client.restoreRun(found.value.run.id));
    return restored.map((document) => ({ exit: 0, document, text: operationText(document.operation) }));
  },
});
