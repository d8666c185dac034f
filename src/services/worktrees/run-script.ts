/** Runs a command of the configuration (setup or check) in the attempt's worktree, without the user's credentials. */
import { mkdir } from "node:fs/promises";
import { agentEnvironment } from "../../domain/agent/environment.ts";
import { exec } from "../../utils/exec.ts";
import type { ServiceContext } from "../context.ts";
import { EngineLeaving } from "../engine-leaving.ts";
import { handAttempt } from "../runs/attempt-variables.ts";
import { writeOwnLog } from "../runs/own-log.ts";
import type { RunWorld } from "../runs/step.ts";

export interface ScriptEnd {
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly canceled: boolean;
  /** The end of what it printed, stdout and stderr together; at most 16,000 characters. */
  readonly tail: string;
  readonly durationMs: number;
}

const TAIL_CHARS = 16_000;

/**
 * Runs the person's own shell text with `sh -c`; its output goes into the run's log. Throws `EngineLeaving` where the
 * engine stops meanwhile.
 */
export async function runScript(
  context: ServiceContext,
  world: RunWorld,
  script: { readonly label: string; readonly command: string; readonly timeoutMs: number },
): Promise<ScriptEnd> {
  const { run, attempt, configuration } = world;
  await mkdir(context.paths.run(run.id), { recursive: true, mode: 0o700 });
  await writeOwnLog(context, run.id, { step: script.label, text: `$ ${script.command}` });
  const environment = agentEnvironment({
    user: context.userEnv,
    deny: configuration.values.env.deny,
    cwd: attempt.worktree,
    added: { ...(await handAttempt(context, world)), CI: "true" },
  });
  let tail = "";
  const keep = (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARS);
  };
  const ended = await exec(["sh", "-c", script.command], {
    cwd: attempt.worktree,
    env: environment.env,
    timeoutMs: script.timeoutMs,
    graceMs: context.timing.graceMs,
    maxOutputBytes: 0,
    onStdout: keep,
    onStderr: keep,
    signal: AbortSignal.any([world.signal, context.leaving]),
    // Its own: the run's would be its keeper's too, which waits for the end of the setup.
    marker: { name: "TAZUNA_SCRIPT", value: context.newId() },
  });
  const end = ended.started
    ? {
        code: ended.code,
        timedOut: ended.timedOut,
        canceled: ended.canceled,
        tail,
        durationMs: ended.durationMs,
      }
    : {
        code: null,
        timedOut: false,
        canceled: ended.error.kind === "canceled",
        tail: ended.error.message,
        durationMs: 0,
      };
  await writeOwnLog(context, run.id, {
    step: script.label,
    text: end.tail === "" ? endText(end) : `${end.tail.trimEnd()}\n${endText(end)}`,
  });
  if (end.canceled && !world.signal.aborted) throw new EngineLeaving();
  return end;
}

function endText(end: ScriptEnd): string {
  if (end.canceled) return "stopped";
  if (end.timedOut) return "took too long and was stopped";
  return end.code === 0 ? "ended well" : `ended with exit code ${end.code ?? "(signal)"}`;
}
