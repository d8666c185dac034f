/** Begins an attempt with the files that a run left, lets an agent work on them, and waits. */
import { err } from "neverthrow";
import { badUsage } from "../../shared/cli-error.ts";
import { argument, defineCommand, optionalArgument, START_FLAGS, textFlag } from "../../shared/command.ts";
import { refuseTooLarge } from "../../shared/instruction.ts";
import { resolveRun } from "../../shared/resolve-id.ts";
import { nextSteps } from "../../view/next-steps.ts";
import { startOnAttempt } from "../../wait/start-on-attempt.ts";

export const forkCommand = defineCommand({
  brief: "Make a new attempt that begins with the files a run left; an agent goes on from there",
  args: [
    argument("RUN", "The run, or an attempt for its latest run"),
    optionalArgument("INSTRUCTION", "What is to be done, in quotes (default: the task's issue)"),
  ],
  flags: { agent: textFlag("The agent that goes on, the same one or another", "ID"), ...START_FLAGS },
  async *act(scope, flags, id, instruction) {
    const { engine } = scope;
    const { agent = "" } = flags;
    if (agent.trim() === "")
      return err(badUsage("--agent is missing.", "Name the agent that goes on; `tazuna agents` lists them."));
    if (instruction !== undefined && instruction.trim() === "")
      return err(badUsage("The instruction is empty.", "Leave it out to have the issue solved."));
    const found = yield* await resolveRun(engine, id);
    const request = { agent, instruction: instruction ?? null, settings: scope.environment.task };
    const tooLarge = refuseTooLarge(request, { "the instruction": request.instruction });
    if (tooLarge !== null) return err(tooLarge);
    const ask = () => engine.ask((client, once) => client.fork(found.run.id, request, once));
    return startOnAttempt({ scope, found, adds: true, flags, closing: nextSteps, ask });
  },
});
