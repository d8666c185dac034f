/** Interrupts a run; branch, worktree and session stay. */
import { err } from "neverthrow";
import { argument, type CommonFlags, defineCommand, JSON_FLAG } from "../command.ts";
import { endAndWait } from "../end-and-wait.ts";
import { createEngine } from "../engine.ts";
import { resolveRun } from "../resolve-id.ts";

export const stopCommand = defineCommand<CommonFlags, [run: string]>({
  brief: "Interrupt a run; branch, worktree and session stay, and `continue` goes on",
  parameters: {
    positional: { kind: "tuple", parameters: [argument("RUN", "The run, or an attempt for its latest run")] },
    flags: JSON_FLAG,
  },
  async act(scope, _flags, id) {
    const engine = createEngine(scope, { foreground: false });
    const found = await resolveRun(engine, id);
    if (found.isErr()) return err(found.error);
    const { run, attempt } = found.value;
    return endAndWait({
      scope,
      engine,
      ask: () => engine.ask((client) => client.stop(run.id)),
      attempts: [attempt.id],
      runs: () => [run.id],
    });
  },
});
