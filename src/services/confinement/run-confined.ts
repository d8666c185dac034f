/** Runs a program that the configuration or the repository names: confined, in the worktree, without credentials. */
import { err, ok } from "neverthrow";
import { startHeld } from "../../sandbox/start-held.ts";
import { type ExecResult, exec } from "../../utils/exec.ts";
import { startCompanion } from "../../utils/programs/companion.ts";
import { EngineStopping } from "../core/context.ts";
import type { ConfinedContext, Uses } from "../core/context-parts.ts";
import type { RunWorld } from "../run-core/step.ts";
import { withholdSettings } from "./check-git-files.ts";
import { type Confinement, confineRun, programEnvironment } from "./confine-run.ts";
import { secretsOf } from "./secrets-of.ts";
import { createTail } from "./tail.ts";

interface ConfinedProgram {
  readonly argv: readonly string[];
  /** Absolute folders that it may write to, in addition to the worktree. */
  readonly writable?: readonly string[];
  /** Added to what is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The variable by which its descendants are found. */
  readonly marker: { readonly name: string; readonly value: string };
}

export interface ConfinedEnd {
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly canceled: boolean;
  /** Why it could not be started; null if it ran. */
  readonly problem: string | null;
  /** The end of its output, stdout and stderr together, without secrets; at most 16,000 characters. */
  readonly tail: string;
  readonly durationMs: number;
}

const TAIL_CHARS = 16_000;
/** Enough to recognize the message of a sandbox that could not be made. */
const HEAD_BYTES = 4096;

/** The caller stores the output first, then calls `leaveIfStopped`. */
export async function runConfined(
  context: ConfinedContext,
  world: RunWorld,
  program: ConfinedProgram,
): Promise<ConfinedEnd> {
  const confined = await confineRun(context, world);
  if (confined.isErr()) return notStarted(confined.error.message);
  const confinement = confined.value;
  const command = await confinement.command({ argv: program.argv, writable: program.writable ?? [] });
  const signal = stopOf(context, world);
  const beside =
    command.beside === null ? null : await startCompanion(command.beside, { cwd: "/", env: {}, signal });
  if (beside?.started === false)
    return {
      ...notStarted(`The network could not be given: ${beside.message}`),
      canceled: signal.aborted,
    };
  const start = await startOf(context, world, { program, confinement });
  const held = start.isOk()
    ? await startHeld(command.argv, start.value)
    : { started: false as const, problem: start.error.message };
  await beside?.end();
  // Its changes of git's settings are not the user's. From now on, calls that would follow them are refused.
  if (confinement.isolation !== "sandbox") await withholdSettings(context, world);
  return held.started ? held.end.end : notStarted(held.problem);
}

/** Aborts when a person wants the run to end, or when this engine stops. */
function stopOf({ engineStop }: Uses<"engineStop">, world: RunWorld): AbortSignal {
  return AbortSignal.any([world.signal, engineStop]);
}

/** Runs a command to its end; all commands of a program share its time limit. */
async function startOf(
  context: Uses<"git" | "userEnv" | "tokens" | "timing" | "engineStop">,
  world: RunWorld,
  { program, confinement }: { readonly program: ConfinedProgram; readonly confinement: Confinement },
) {
  const values = await secretsOf(context, world);
  if (values.isErr()) return err(values.error);
  const made = await programEnvironment(context, world, { added: program.env, confinement });
  if (made.isErr()) return err(made.error);
  const deadline = performance.now() + program.timeoutMs;
  return ok(async (argv: readonly string[]) => {
    const printed = createTail({ chars: TAIL_CHARS, values: values.value });
    const ended = await exec(argv, {
      cwd: world.attempt.worktree,
      env: made.value.env,
      timeoutMs: Math.max(1, deadline - performance.now()),
      graceMs: context.timing.graceMs,
      maxOutputBytes: HEAD_BYTES,
      onStdout: printed.push,
      onStderr: printed.push,
      signal: stopOf(context, world),
      marker: program.marker,
      wrapped: confinement.isolation === "sandbox",
    });
    return { code: null, stdout: "", stderr: "", ...ended, end: endOf(ended, printed.text()) };
  });
}

/** Call it after the output is stored. If the engine's stop cut the program short, the next engine runs it again. */
export function leaveIfStopped(world: RunWorld, end: ConfinedEnd): void {
  if (end.canceled && !world.signal.aborted) throw new EngineStopping();
}

function endOf(ended: ExecResult, tail: string): ConfinedEnd {
  if (!ended.started)
    return { ...notStarted(ended.error.message), canceled: ended.error.kind === "canceled" };
  const { code, timedOut, canceled, durationMs } = ended;
  return { code, timedOut, canceled, problem: null, tail, durationMs };
}

function notStarted(problem: string): ConfinedEnd {
  return { code: null, timedOut: false, canceled: false, problem, tail: problem, durationMs: 0 };
}
