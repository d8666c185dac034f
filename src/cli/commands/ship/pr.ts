/** Opens the pull request of an attempt, brings the one that is there up to date, or answers on it. */
import { err } from "neverthrow";
import { badUsage } from "../../shared/cli-error.ts";
import { argument, defineCommand, switchFlag, textFlag } from "../../shared/command.ts";
import { resolveAttempt } from "../../shared/resolve-id.ts";
import { openedText, repliedText } from "../../view/pull-request-text.ts";

export const prCommand = defineCommand({
  brief: "Open a pull request for an attempt, or bring the one that is there up to date",
  args: [argument("ATTEMPT", "The attempt; its branch must be pushed")],
  flags: {
    title: textFlag("Its title; else one is written, and words that a person changed there stay", "TEXT"),
    body: textFlag("Its text, in Markdown; likewise", "TEXT"),
    draft: switchFlag("As a draft; without it, a draft that Tazuna made becomes ready"),
    reply: textFlag("Write this on the pull request that is there, in your name", "TEXT"),
    thread: textFlag("The review thread that --reply answers, as `tazuna show` names it", "THREAD"),
  },
  async *act({ engine }, { title, body, draft, reply, thread }, id) {
    const wrong = refuseWords({ opens: title !== undefined || body !== undefined || draft, reply, thread });
    if (wrong !== null) return err(wrong);
    const found = yield* await resolveAttempt(engine, id);
    if (reply !== undefined) {
      const words = { thread: thread ?? null, body: reply };
      const said = await engine.ask((client, once) => client.reply(found.attempt.id, words, once));
      return said.map((document) => ({
        document: { pull_request: document },
        text: repliedText(document, words.thread),
      }));
    }
    const request = { title: title ?? null, body: body ?? null, draft };
    const opened = await engine.ask((client, once) =>
      client.openPullRequest(found.attempt.id, request, once),
    );
    return opened.map((document) => ({ document, text: openedText(document) }));
  },
});

function refuseWords(of: {
  readonly opens: boolean;
  readonly reply: string | undefined;
  readonly thread: string | undefined;
}) {
  const { opens, reply, thread } = of;
  if (reply === undefined)
    return thread === undefined
      ? null
      : badUsage("--thread goes with --reply.", 'Say what you answer: `--reply "..."`.');
  if (reply.trim() === "") return badUsage("--reply is empty.", "Write what you answer.");
  return opens
    ? badUsage("--reply opens nothing.", "Leave out --title, --body and --draft, or leave out --reply.")
    : null;
}
