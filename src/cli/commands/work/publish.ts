/** Publishes an attempt if a person says so, with what they allow and why, and waits for the run. */
import { err, ok, type Result } from "neverthrow";
import type { NamedAttempt } from "../../../contract/client/named-thing.ts";
import type { TaskDocument } from "../../../contract/task-document.ts";
import { cleanLine } from "../../../contract/text.ts";
import { badUsage } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import {
  argument,
  defineCommand,
  type FlagsOf,
  type Scope,
  START_FLAGS,
  switchFlag,
  textFlag,
  textsFlag,
} from "../../shared/command.ts";
import { onlyAttempts, resolveAttempt } from "../../shared/resolve-id.ts";
import { startOnAttempt } from "../../wait/start-on-attempt.ts";

const FLAGS = {
  allow: textsFlag(
    "A rule whose findings, as `tazuna show` lists them, may be published; or check:NAME",
    "RULE",
  ),
  reason: textFlag("Why that may be published; it is recorded", "TEXT"),
  leaveOut: textsFlag("Leave a file of the findings out of the commits; it stays in the worktree", "PATH"),
  message: textFlag("The message of the commit that is still to be made", "TEXT"),
  anotherBranch: switchFlag("Push it under a branch name that the remote does not have"),
  takeBack: textsFlag("Take back what was allowed, while nothing came of it; publishes nothing", "RULE"),
  takeIn: textsFlag("Let a file that was left out join the next commit; publishes nothing", "PATH"),
  ...START_FLAGS,
} as const;

type Flags = FlagsOf<typeof FLAGS>;

export const publishCommand = defineCommand({
  brief: "Push what an attempt committed, or publish what was held back and you allow",
  args: [argument("ATTEMPT", "The attempt")],
  flags: FLAGS,
  async *act(scope, flags, id) {
    const isTaking = flags.takeBack.length + flags.takeIn.length > 0;
    const refusal = isTaking ? refuseMixed(flags) : null;
    if (refusal !== null) return err(refusal);
    const found = yield* await resolveAttempt(scope.engine, id);
    if (isTaking) {
      const document = yield* await take(scope, flags, found);
      return ok({ document: onlyAttempts(document, [found.attempt.id]), text: takenText(flags, found) });
    }
    const { message } = flags;
    if (message !== undefined)
      yield* await scope.engine.ask((client) => client.keepShipDraft(found.attempt.id, { message }));
    const reason = flags.reason?.trim() ?? "";
    const settings = scope.environment.task;
    const body = {
      allow: [...flags.allow],
      reason: reason === "" ? null : reason,
      leave_out: [...flags.leaveOut],
      another_branch: flags.anotherBranch,
      settings,
    };
    const ask = () => scope.engine.ask((client, once) => client.publish(found.attempt.id, body, once));
    return startOnAttempt({ scope, found, flags, ask });
  },
});

/** What is taken back is not published in the same breath. */
function refuseMixed({ allow, reason, leaveOut, message, anotherBranch }: Flags): CliError | null {
  const publishes = allow.length + leaveOut.length > 0 || reason !== undefined || message !== undefined;
  if (!publishes && !anotherBranch) return null;
  return badUsage(
    "--take-back and --take-in publish nothing, so they go alone.",
    "Leave out the other options, or call `tazuna publish` again for them.",
  );
}

function take(
  { engine }: Scope,
  { takeBack, takeIn }: Flags,
  { attempt }: NamedAttempt,
): Promise<Result<TaskDocument, CliError>> {
  const body = { allow: [...takeBack], leave_out: [...takeIn] };
  return engine.ask((client) => client.takeBack(attempt.id, body));
}

function takenText({ takeBack, takeIn }: Flags, { attempt }: NamedAttempt): string {
  const id = attempt.id.slice(0, 8);
  return [
    takeBack.length === 0 ? "" : `Taken back: ${takeBack.map(cleanLine).join(", ")}\n`,
    takeIn.length === 0
      ? ""
      : `No longer left out: ${takeIn.map(cleanLine).join(", ")}. \`tazuna continue ${id}\` commits it.\n`,
  ].join("");
}
