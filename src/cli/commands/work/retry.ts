/** Repeats an ended run, or only its push, and waits for it. */
import { argument, defineCommand, START_FLAGS, switchFlag } from "../../shared/command.ts";
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
    ...START_FLAGS,
  },
  async *act(scope, flags, id) {
    const found = yield* await resolveRun(scope.engine, id);
    const { from = "start" as const, offline } = flags;
    const body = { from, offline, settings: scope.environment.task };
    const ask = () => scope.engine.ask((client, once) => client.retry(found.run.id, body, once));
    return startOnAttempt({ scope, found, flags, ask });
  },
});
