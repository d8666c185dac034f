/** Runs the setup commands of the configuration in a new worktree. */
import { err, ok, type Result } from "neverthrow";
import { packageStores } from "../../confinement/run-profile.ts";
import { runScript } from "../../confinement/run-script.ts";
import type { ConfinedContext, JournalContext } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";
import { trustFailure } from "../../trust/trust-failure.ts";
import { beginSetup, endSetup } from "../../worktrees/left-by-setup.ts";

/** Fails with the step that ends the run if a command failed or a person stopped it. Records what the commands left. */
export async function setUpWorktree(
  context: JournalContext & ConfinedContext,
  world: RunWorld,
): Promise<Result<void, Step>> {
  if (world.configuration.values.setup.length === 0) return ok(undefined);
  const changed = await trustFailure(context, world);
  if (changed !== null) return err({ event: "fail", failure: changed });
  const begun = await beginSetup(context, world);
  if (begun.isErr()) return err(gitFailed("worktree", begun.error));
  const stopped = await runSetup(context, world);
  const ended = await endSetup(context, world);
  return stopped === null ? ended : err(stopped);
}

async function runSetup(context: ConfinedContext, world: RunWorld): Promise<Step | null> {
  const { setup, limits } = world.configuration.values;
  // Before any agent, these commands run only the person's code: what they install is kept for the next worktree.
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
    // The command itself may be right.
    if (ended.problem !== null)
      return failed("setup_failed", `The setup command "${command}" could not be started: ${ended.problem}`, {
        details: { command },
      });
    if (ended.code !== 0)
      return failed(
        "setup_failed",
        `The setup command "${command}" ended with exit code ${ended.code ?? "(signal)"}.`,
        { details: { command, output: ended.tail.slice(-2000) } },
      );
  }
  return null;
}
