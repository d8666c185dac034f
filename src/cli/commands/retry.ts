/** Does an ended run again, or only its push, and waits for it. */
import { err } from "neverthrow";
import { argument, type CommonFlags, defineCommand, JSON_FLAG, switchFlag } from "../command.ts";
import { createEngine, onceKey } from "../engine.ts";
import { tellIgnoredSettings } from "../ignored-settings.ts";
import { onlyAttempts, resolveRun } from "../resolve-id.ts";
import { startAndWait } from "../start-and-wait.ts";
import { withTrust } from "../trust-scripts.ts";

type Flags = CommonFlags & {
  readonly from?: "push";
  readonly trust: boolean;
  readonly detach: boolean;
};

export const retryCommand = defineCommand<Flags, [run: string]>({
  brief: "Do an ended run again, or only its push",
  parameters: {
    positional: { kind: "tuple", parameters: [argument("RUN", "The run, or an attempt for its latest run")] },
    flags: {
      from: {
        kind: "enum",
        values: ["push"],
        optional: true,
        brief: "Only push the commit that is there",
      },
      trust: switchFlag("Trust the repository's scripts as they are now"),
      detach: switchFlag("Return at once; it goes on in the background"),
      ...JSON_FLAG,
    },
  },
  async act(scope, flags, id) {
    const engine = createEngine(scope, { foreground: false });
    const found = await resolveRun(engine, id);
    if (found.isErr()) return err(found.error);
    const { run, attempt, document } = found.value;
    const once = onceKey();
    const body = { from: flags.from ?? ("start" as const), settings: scope.environment.task };
    const repository = document.task.repository.id;
    await tellIgnoredSettings(scope, engine, repository);
    return startAndWait({
      scope,
      engine,
      detach: flags.detach,
      start: async () => {
        const started = await withTrust(
          { terminal: scope.terminal, engine, repository, trust: flags.trust },
          () => engine.ask((client) => client.retry(run.id, body, once)),
        );
        return started.map((task) => onlyAttempts(task, [attempt.id]));
      },
    });
  },
});
