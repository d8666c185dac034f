/** Puts an attempt's patch into the user's checkout as uncommitted changes. */
import { argument, defineCommand } from "../../shared/command.ts";
import { resolveAttempt } from "../../shared/resolve-id.ts";
import { appliedText } from "../../view/merge-text.ts";

export const applyCommand = defineCommand({
  brief: "Put an attempt's patch into your checkout as uncommitted changes: all of it, or nothing",
  args: [argument("ATTEMPT", "The attempt")],
  async *act({ engine }, _flags, id) {
    const { attempt } = yield* await resolveAttempt(engine, id);
    const applied = await engine.ask((client) => client.apply(attempt.id));
    return applied.map((document) => ({ document, text: appliedText(document) }));
  },
});
