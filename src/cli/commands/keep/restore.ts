/** Puts an attempt's files back to the state that a run left. */
import { err } from "neverthrow";
import { badUsage } from "../../shared/cli-error.ts";
import { argument, defineCommand, switchFlag, textFlag } from "../../shared/command.ts";
import { resolveAttempt, resolveRun } from "../../shared/resolve-id.ts";
import { operationText } from "../../view/operation-text.ts";

export const restoreCommand = defineCommand({
  brief: "Put an attempt's files back to what a run left, after a snapshot of what is there now",
  args: [argument("RUN", "A run, or an attempt for its latest run")],
  flags: {
    from: textFlag("Lay the edits of a worker that came back into the attempt instead", "WORKER"),
    discard: switchFlag("With --from: drop that offer, and change nothing"),
  },
  async *act({ engine }, { from, discard }, id) {
    if (from !== undefined) {
      const { attempt } = yield* await resolveAttempt(engine, id);
      const taken = await engine.ask((client) => client.takeLeft(attempt.id, { worker: from, discard }));
      return taken.map((document) => ({
        document,
        text: document.operation === null ? DISCARDED : operationText(document.operation),
      }));
    }
    if (discard)
      return err(badUsage("`--discard` drops an offer of a worker.", "Name it by `--from WORKER`."));
    const { run } = yield* await resolveRun(engine, id);
    const restored = await engine.ask((client) => client.restoreRun(run.id));
    return restored.map((document) => ({ document, text: operationText(document.operation) }));
  },
});

const DISCARDED = "The offer is dropped. The files stay on that worker, and their copy in the depot.\n";
