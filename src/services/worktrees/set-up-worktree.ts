/** Runs the setup commands of the configuration in a new worktree. */
import { type Failure, failure } from "../../domain/run/failure.ts";
import { trustFailure } from "../configuration/trust-failure.ts";
import { packageStores } from "../confinement/run-profile.ts";
import type { ServiceContext } from "../context.ts";
import { failed, type RunWorld, type Step } from "../runs/step.ts";
import { runScript } from "./run-script.ts";

/** The step that ends the run where a command failed or a person stopped it; null where all is set up. */
export async function setUpWorktree(context: ServiceContext, world: RunWorld): Promise<Step | null> {
  const { setup, limits } = world.configuration.values;
  const changed = setup.length === 0 ? null : await trustFailure(context, world);
  if (changed !== null) return { event: "fail", failure: changed };
  // Before any agent, all that they run is the person's: what they install is kept for the next worktree.
  const writable = world.earlier.length === 0 ? packageStores(context) : [];
  for (const command of setup) {
    const ended = await runScript(context, world, {
      label: "setup",
      command,
      timeoutMs: limits.setup_s * 1000,
      writable,
    });
    if (ended.canceled) return { event: "cancel" };
    if (ended.timedOut)
      return failed("setup_failed", `The setup command "${command}" took longer than ${limits.setup_s} s.`);
    if (ended.problem !== null) return { event: "fail", failure: notStarted(command, ended.problem) };
    if (ended.code !== 0)
      return failed(
        "setup_failed",
        `The setup command "${command}" ended with exit code ${ended.code ?? "(signal)"}.`,
        {
          details: { command, output: ended.tail.slice(-2000) },
        },
      );
  }
  return null;
}

/** The command itself may be right. */
function notStarted(command: string, problem: string): Failure {
  return failure("setup_failed", `The setup command "${command}" could not be started: ${problem}`, {
    remedy: "See to what kept it from starting, then `tazuna retry RUN`.",
    details: { command },
  });
}
