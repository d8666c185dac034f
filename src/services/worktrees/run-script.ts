/** Runs a command of the configuration (setup or check) in the attempt's worktree, without the user's credentials. */
import { mkdir } from "node:fs/promises";
import { type ConfinedEnd, leaveIfStopped, runConfined } from "../confinement/run-confined.ts";
import type { ServiceContext } from "../context.ts";
import { handAttempt } from "../runs/attempt-variables.ts";
import { writeOwnLog } from "../runs/own-log.ts";
import type { RunWorld } from "../runs/step.ts";

/**
 * Runs the person's own shell text with `sh -c`; its output goes into the run's log. Throws `EngineLeaving` where the
 * engine stops meanwhile.
 */
export async function runScript(
  context: ServiceContext,
  world: RunWorld,
  script: {
    readonly label: string;
    readonly command: string;
    readonly timeoutMs: number;
    /** Absolute folders that it may write to, beside the worktree. */
    readonly writable?: readonly string[];
  },
): Promise<ConfinedEnd> {
  const { run } = world;
  await mkdir(context.paths.run(run.id), { recursive: true, mode: 0o700 });
  await writeOwnLog(context, run.id, { step: script.label, text: `$ ${script.command}` });
  const end = await runConfined(context, world, {
    argv: ["sh", "-c", script.command],
    writable: script.writable ?? [],
    env: { ...(await handAttempt(context, world)), CI: "true" },
    timeoutMs: script.timeoutMs,
    // Its own: the run's would be its keeper's too, which waits for the end of the setup.
    marker: { name: "TAZUNA_SCRIPT", value: context.newId() },
  });
  await writeOwnLog(context, run.id, {
    step: script.label,
    text: end.tail === "" ? endText(end) : `${end.tail.trimEnd()}\n${endText(end)}`,
  });
  leaveIfStopped(world, end);
  return end;
}

function endText(end: ConfinedEnd): string {
  if (end.canceled) return "stopped";
  if (end.timedOut) return "took too long and was stopped";
  if (end.problem !== null) return "could not be started";
  return end.code === 0 ? "ended well" : `ended with exit code ${end.code ?? "(signal)"}`;
}
