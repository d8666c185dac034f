/** Answers what an agent asks: allows, denies, or says something. */

import { err, ok, type Result } from "neverthrow";
import type { NamedAttempt } from "../../../contract/client/named-thing.ts";
import type { RunDocument } from "../../../contract/task-document.ts";
import { cleanText } from "../../../contract/text.ts";
import { questionLines } from "../../../contract/words/question-words.ts";
import { badUsage, failed } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import { argument, defineCommand, switchFlag, textFlag } from "../../shared/command.ts";
import { onlyAttempts, resolveAttempt, shortId } from "../../shared/resolve-id.ts";
import { taskTable } from "../../view/task-text.ts";

export const answerCommand = defineCommand({
  brief: "Answer what an agent asks; `show` says what that is",
  args: [argument("RUN", "The run that asks, or its attempt")],
  flags: {
    allow: switchFlag("Allow exactly this, once"),
    deny: switchFlag("Do not allow it"),
    text: textFlag("Your words, or the name of an option", "TEXT"),
    always: switchFlag("With --allow: from now on, the same is allowed in this repository"),
    alwaysFor: textFlag("The same for each command that begins with these words", "WORDS"),
  },
  async *act(scope, { allow, deny, text, always, alwaysFor }, id) {
    const given = yield* answerOf({ allow, deny, text: text ?? null });
    const found = yield* await resolveAttempt(scope.engine, id);
    const run = yield* askingRun(found);
    // Only this question is answered: if the agent asks something else by now, the engine refuses.
    if (run.question !== null)
      for (const line of questionLines(run.question)) scope.terminal.stderr.write(`${cleanText(line)}\n`);
    const expect = run.question?.expect ?? NOTHING_ASKED;
    const rule = yield* ruleOf(run, { allow, always, words: alwaysFor ?? null });
    if (rule !== null)
      scope.terminal.stderr.write(`Allowed from now on in this repository: ${cleanText(rule)}\n`);
    const answer = { ...given, expect, always: rule };
    const answered = await scope.engine.ask((client) => client.answer(run.id, answer));
    if (answered.isErr()) return err(answered.error);
    const document = onlyAttempts(answered.value, [found.attempt.id]);
    const more = `\nWait for it with \`tazuna wait ${shortId(run.id)}\`.\n`;
    return ok({ document, text: (columns) => `${taskTable(document, columns)}${more}` });
  },
});

/** No question has this hash: the engine says that nothing is asked. */
const NOTHING_ASKED = "nothing";

interface Given {
  readonly answer: "allow" | "deny" | "text";
  readonly text: string | null;
}

function answerOf(flags: {
  readonly allow: boolean;
  readonly deny: boolean;
  readonly text: string | null;
}): Result<Given, CliError> {
  const { allow, deny, text } = flags;
  if ([allow, deny, text !== null].filter(Boolean).length !== 1)
    return err(
      badUsage("One answer is needed: `--allow`, `--deny` or `--text`.", "Give exactly one of them."),
    );
  if (text !== null && text.trim() === "")
    return err(badUsage("The text of the answer is empty.", 'Say something: `--text "your words"`.'));
  return ok({ answer: allow ? "allow" : deny ? "deny" : "text", text });
}

/** The text of the rule that the answer makes; null if it makes none. The engine says whether it can be one. */
function ruleOf(
  { question }: RunDocument,
  flags: { readonly allow: boolean; readonly always: boolean; readonly words: string | null },
): Result<string | null, CliError> {
  const { allow, always, words } = flags;
  if (!always && words === null) return ok(null);
  if (!allow || (always && words !== null))
    return err(
      badUsage("`--always` and `--always-for` go with `--allow`, one at a time.", "Give one of them."),
    );
  return ok(words ?? question?.always?.whole ?? NOTHING_ASKED);
}

/** Of an attempt, the run that asks; else the latest one. */
function askingRun({ found, attempt }: NamedAttempt): Result<RunDocument, CliError> {
  const named = attempt.runs.find(({ id }) => id === found.id);
  const run = named ?? attempt.runs.find(({ question }) => question !== null) ?? attempt.runs.at(-1);
  if (run !== undefined) return ok(run);
  const message = `The attempt ${shortId(attempt.id)} has no run yet.`;
  return err(failed({ code: "no_question", message, remedy: "Try again in a moment." }));
}
