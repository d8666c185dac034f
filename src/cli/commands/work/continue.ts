/** Sends a follow-up to an attempt and waits for its run. */
import { err, ok, type Result } from "neverthrow";
import type { FollowUpRequest } from "../../../contract/endpoints/attempts.ts";
import { badUsage } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import {
  argument,
  defineCommand,
  type FlagsOf,
  namesFlag,
  optionalArgument,
  type Scope,
  START_FLAGS,
  switchFlag,
  textFlag,
  textsFlag,
} from "../../shared/command.ts";
import { readInstruction, refuseTooLarge } from "../../shared/instruction.ts";
import { resolveAttempt, resolveComments } from "../../shared/resolve-id.ts";
import { startOnAttempt } from "../../wait/start-on-attempt.ts";

const FLAGS = {
  file: textFlag("Read the instruction from a file, or from standard input with `-`", "FILE"),
  message: textFlag("The commit message of your own edits (without INSTRUCTION)", "TEXT"),
  mergeBase: switchFlag("Merge the newest base into the branch first"),
  comment: textsFlag("Send this comment on the patch, as `tazuna show` lists it", "ID"),
  resolve: switchFlag("Let the agent resolve what conflicts with others' commits (or the base)"),
  fromReview: namesFlag("Send review threads of its pull request: all new ones, or these", "[THREAD]"),
  fromChecks: namesFlag("Send failed checks of its pull request: all new ones, or these", "[NAME]"),
  ...START_FLAGS,
} as const;

export const continueCommand = defineCommand({
  brief:
    "Send the agent a follow-up in the same worktree and session; without an instruction commit your own edits",
  args: [
    argument("ATTEMPT", "The attempt"),
    optionalArgument("INSTRUCTION", "What the agent should do next, in quotes"),
  ],
  flags: FLAGS,
  async *act(scope, flags, id, instruction) {
    const request = yield* await requestOf(scope, flags, instruction);
    const found = yield* await resolveAttempt(scope.engine, id);
    const comments = yield* await resolveComments(scope.engine, found.attempt.id, flags.comment);
    const body = { ...request, comments };
    const ask = () => scope.engine.ask((client, once) => client.followUp(found.attempt.id, body, once));
    return startOnAttempt({ scope, found, flags, ask });
  },
});

/** Without an instruction the person's own edits are committed. */
async function requestOf(
  { terminal, environment }: Scope,
  flags: FlagsOf<typeof FLAGS>,
  words: string | undefined,
): Promise<Result<FollowUpRequest, CliError>> {
  if (words !== undefined && words.trim() === "")
    return err(
      badUsage("The instruction is empty.", "Leave it out to commit your own edits in the worktree."),
    );
  const { file, message } = flags;
  const isSent = flags.fromReview.length + flags.fromChecks.length > 0;
  const agentWorks = words !== undefined || file !== undefined;
  const sends = flags.comment.length > 0 || isSent;
  if (message !== undefined && (agentWorks || flags.resolve || sends)) {
    const what = flags.resolve ? "--resolve" : sends ? "what is sent" : "the instruction";
    return err(badUsage("--message is for edits of your own.", `Leave out ${what}, or leave out --message.`));
  }
  if (message !== undefined && message.trim() === "")
    return err(badUsage("--message is empty.", "Write what the commit does, or leave it out."));
  const read = agentWorks ? await readInstruction(terminal, { words, file }) : ok(null);
  if (read.isErr()) return err(read.error);
  const instruction = read.value;
  const settings = environment.task;
  const { mergeBase: merge_base, resolve } = flags;
  const from = { from_review: namesOf(flags.fromReview), from_checks: namesOf(flags.fromChecks) };
  const body = { instruction, message: message ?? null, merge_base, resolve, ...from, settings };
  const refused = refuseTooLarge(body, { "the instruction": instruction, "--message": message });
  return refused === null ? ok(body) : err(refused);
}

/** Null if the flag is not there; empty if it names none, and so means all that is new. */
function namesOf(given: readonly string[]): string[] | null {
  return given.length === 0 ? null : given.filter((name) => name !== "");
}
