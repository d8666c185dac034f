/** Opens the pull request of an attempt, or brings the one that is there up to date. */
import { argument, defineCommand, switchFlag, textFlag } from "../../shared/command.ts";
import { resolveAttempt } from "../../shared/resolve-id.ts";
import { openedText } from "../../view/pull-request-text.ts";

export const prCommand = defineCommand({
  brief: "Open a pull request for an attempt, or bring the one that is there up to date",
  args: [argument("ATTEMPT", "The attempt; its branch must be pushed")],
  flags: {
    title: textFlag("Its title; else one is written, and words that a person changed there stay", "TEXT"),
    body: textFlag("Its text, in Markdown; likewise", "TEXT"),
    draft: switchFlag("As a draft; without it, a draft that Tazuna made becomes ready"),
  },
  async *act({ engine }, { title, body, draft }, id) {
    const found = yield* await resolveAttempt(engine, id);
    const request = { title: title ?? null, body: body ?? null, draft };
    const opened = await engine.ask((client, once) =>
      client.openPullRequest(found.attempt.id, request, once),
    );
    return opened.map((document) => ({ document, text: openedText(document) }));
  },
});
