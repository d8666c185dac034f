/** Sends a follow-up to an attempt and waits for the run it makes. */
import { err } from "neverthrow";
import { badUsage } from "../cli-error.ts";
import {
  argument,
  type CommonFlags,
  defineCommand,
  JSON_FLAG,
  optionalArgument,
  switchFlag,
} from "../command.ts";
import { createEngine, onceKey } from "../engine.ts";
import { resolveAttempt } from "../resolve-id.ts";
import { startOnAttempt } from "../start-on-attempt.ts";

type Flags = CommonFlags & {
  readonly mergeBase: boolean;
  readonly trust: boolean;
  readonly detach: boolean;
};

export const continueCommand = defineCommand<Flags, [attempt: string, instruction?: string]>({
  brief:
    "Send the agent a follow-up in the same worktree and session; without an instruction commit your own edits",
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        argument("ATTEMPT", "The attempt"),
        optionalArgument("INSTRUCTION", "What the agent should do next, in quotes"),
      ],
    },
    flags: {
      mergeBase: switchFlag("Merge the newest base into the branch first"),
      trust: switchFlag("Trust the repository's scripts as they are now"),
      detach: switchFlag("Return at once; it goes on in the background"),
      ...JSON_FLAG,
    },
  },
  async act(scope, flags, id, instruction) {
    if (instruction !== undefined && instruction.trim() === "")
      return err(
        badUsage("The instruction is empty.", "Leave it out to commit your own edits in the worktree."),
      );
    const engine = createEngine(scope, { foreground: false });
    const found = await resolveAttempt(engine, id);
    if (found.isErr()) return err(found.error);
    const { attempt } = found.value;
    const once = onceKey();
    const settings = scope.environment.task;
    const body = { instruction: instruction ?? null, merge_base: flags.mergeBase, settings };
    const ask = () => engine.ask((client) => client.followUp(attempt.id, body, once));
    return startOnAttempt({ scope, engine, found: found.value, flags, ask });
  },
});
