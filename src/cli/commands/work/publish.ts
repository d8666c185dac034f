/** Publishes an attempt if a person says so, with what they allow and why, and waits for the run. */
import { argument, defineCommand, START_FLAGS, textFlag, textsFlag } from "../../shared/command.ts";
import { resolveAttempt } from "../../shared/resolve-id.ts";
import { startOnAttempt } from "../../wait/start-on-attempt.ts";

export const publishCommand = defineCommand({
  brief: "Push what an attempt committed, or publish what was held back and you allow",
  args: [argument("ATTEMPT", "The attempt")],
  flags: {
    allow: textsFlag(
      "A rule whose findings, as `tazuna show` lists them, may be published; or check:NAME",
      "RULE",
    ),
    reason: textFlag("Why that may be published; it is recorded", "TEXT"),
    ...START_FLAGS,
  },
  async *act(scope, flags, id) {
    const reason = flags.reason?.trim() ?? "";
    const found = yield* await resolveAttempt(scope.engine, id);
    const settings = scope.environment.task;
    const body = { allow: [...flags.allow], reason: reason === "" ? null : reason, settings };
    const ask = () => scope.engine.ask((client, once) => client.publish(found.attempt.id, body, once));
    return startOnAttempt({ scope, found, flags, ask });
  },
});
