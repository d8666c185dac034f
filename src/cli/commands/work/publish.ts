/** Publishes an attempt if a person says so, with what they allow and why, and waits for the run. */
import { err } from "neverthrow";
import { argument, defineCommand, switchFlag, textFlag } from "../../shared/command.ts";
import { createEngine, onceKey } from "../../shared/engine.ts";
import { resolveAttempt } from "../../shared/resolve-id.ts";
import { startOnAttempt } from "../../wait/start-on-attempt.ts";

export const publishCommand = defineCommand({
  brief: "Push what an attempt committed, or publish what was held back and you allow",
  args: [argument("ATTEMPT", "The attempt")],
  flags: {
    allow: {
      kind: "parsed",
      parse: String,
      variadic: true,
      optional: false,
      default: [],
      brief: "A rule whose findings, as `tazuna show` lists them, may be published; or check:NAME",
      placeholder: "RULE",
    },
    reason: textFlag("Why that may be published; it is recorded", "TEXT"),
    trust: switchFlag("Trust the repository's scripts as they are now"),
    detach: switchFlag("Return at once; it goes on in the background"),
  },
  async act(scope, flags, id) {
    const reason = flags.reason?.trim() ?? "";
    const engine = createEngine(scope, { foreground: false });
    const found = await resolveAttempt(engine, id);
    if (found.isErr()) return err(found.error);
    const { attempt } = found.value;
    const once = onceKey();
    const settings = scope.environment.task;
    const body = { allow: [...flags.allow], reason: reason === "" ? null : reason, settings };
    const ask = () => engine.ask((client) => client.publish(attempt.id, body, once));
    return startOnAttempt({ scope, engine, found: found.value, flags, ask });
  },
});
