/** Runs a command of the configuration (setup or check) in the attempt's worktree, without the user's credentials. */
import { mkdir } from "node:fs/promises";
import type { ConfinedContext } from "../core/context-parts.ts";
import { handAttempt } from "../run-core/attempt-variables.ts";
import { writeOwnLog } from "../run-core/own-log.ts";
import type { RunWorld } from "../run-core/step.ts";
import { type ConfinedEnd, leaveIfStopped, runConfined } from "./run-confined.ts";

/**
 * Runs the person's own shell text with `sh -c`; its output goes into the run's log. Throws `EngineStopping` if the
 * engine stops meanwhile.
 */
export async function runScript(
  context: ConfinedContext,
  world: RunWorld,
  script: {
    readonly label: string;
    readonly command: string;
    readonly timeoutMs: number;
    /** Absolute folders that it may write to, in addition to the worktree. */
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
    // A mark of its own. The run's keeper carries the run's mark too, and waits for the end of the setup.
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
