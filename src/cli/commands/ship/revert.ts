/** Takes back what was merged of an attempt, by a new attempt without an agent, and waits for it. */
import { argument, defineCommand, START_FLAGS, textFlag } from "../../shared/command.ts";
import { resolveAttempt } from "../../shared/resolve-id.ts";
import { startOnAttempt } from "../../wait/start-on-attempt.ts";

export const revertCommand = defineCommand({
  brief: "Make a new attempt whose commit takes back what was merged of an attempt",
  args: [argument("ATTEMPT", "The attempt that was merged")],
  flags: {
    agent: textFlag("Who gets the files that git cannot revert alone", "ID"),
    ...START_FLAGS,
  },
  async *act(scope, flags, id) {
    const found = yield* await resolveAttempt(scope.engine, id);
    const body = { agent: flags.agent ?? null, settings: scope.environment.task };
    const ask = () => scope.engine.ask((client, once) => client.revert(found.attempt.id, body, once));
    return startOnAttempt({ scope, found, adds: true, flags, ask });
  },
});
