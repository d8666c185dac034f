/** Merges an attempt into the local branch that it began from. */
import { argument, defineCommand, switchFlag } from "../../shared/command.ts";
import { resolveAttempt } from "../../shared/resolve-id.ts";
import { mergeText } from "../../view/merge-text.ts";

export const mergeCommand = defineCommand({
  brief: "Merge an attempt into the local branch that it began from, or its open pull request on the forge",
  args: [argument("ATTEMPT", "The attempt")],
  flags: {
    squash: switchFlag("Make one plain commit of it, instead of a merge commit"),
    here: switchFlag("If that branch is checked out, merge it with its files there, if they are clean"),
  },
  async *act({ engine }, { squash, here }, id) {
    const { attempt } = yield* await resolveAttempt(engine, id);
    const merged = await engine.ask((client) => client.merge(attempt.id, { squash, here }));
    return merged.map((document) => ({ document, text: mergeText(document.merge) }));
  },
});
