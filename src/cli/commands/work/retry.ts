/** Repeats an ended run, or only its push, and waits for it. */
import { err } from "neverthrow";
import { argument, defineCommand, switchFlag } from "../../shared/command.ts";
import { createEngine, onceKey } from "../../shared/engine.ts";
import { resolveRun } from "../../shared/resolve-id.ts";
import { startOnAttempt } from "../../wait/start-on-attempt.ts";

export const retryCommand = defineCommand({
  brief: "Do an ended run again, or only its push",
  args: [argument("RUN", "The run, or an attempt for its latest run")],
  flags: {
    from: {
      kind: "enum",
      values: ["push"],
      optional: true,
      brief: "Only push the commit that is there",
    },
    offline: switchFlag("Begin from the base that is known here, without the remote"),
    trust: switchFlag("Trust the repository's scripts as they are now"),
    detach: switchFlag("Return at once; it goes on in the background"),
  },
  async act(scope, flags, id) {
    const engine = createEngine(scope, { foreground: false });
    const found = await resolveRun(engine, id);
    if (found.isErr()) return err(found.error);
    const { run } = found.value;
    const once = onceKey();
    const { from = "start" as const, offline } = flags;
    const body = { from, offline, settings: scope.environment.task };
    const ask = () => engine.ask((client) => client.retry(run.id, body, once));
    return startOnAttempt({ scope, engine, found: found.value, flags, ask });
  },
});
