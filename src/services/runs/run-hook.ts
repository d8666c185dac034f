/** Runs one of the repository's own commit hooks, as git would, without the user's credentials and within a time limit. */
import { agentEnvironment } from "../../domain/agent/environment.ts";
import { type CommitHook, findHooks } from "../../git/hooks.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { exec } from "../../utils/exec.ts";
import type { ServiceContext } from "../context.ts";
import { EngineLeaving } from "../engine-leaving.ts";
import { gitFailed } from "./git-failure.ts";
import { writeOwnLog } from "./own-log.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

const HOOK_MS = 120_000;
const TAIL_CHARS = 16_000;

export interface HookCall {
  readonly name: CommitHook;
  readonly args: readonly string[];
  /** Paths that differ from HEAD: a hook among them was written by the agent and is not run. */
  readonly changed: ReadonlySet<string>;
}

/** Null where the hook passed, or there is none, or the configuration runs none; else the step that ends the run. Throws `EngineLeaving` where the engine stops meanwhile. */
export async function runHook(
  context: ServiceContext,
  world: RunWorld,
  call: HookCall & { readonly target: GitTarget },
): Promise<Step | null> {
  if (world.configuration.values.hooks === "off") return null;
  const found = await findHooks(context.git, call.target);
  if (found.isErr()) return gitFailed("commit", found.error);
  const hook = found.value.hooks.find(({ name }) => name === call.name);
  if (hook === undefined) return null;
  const inTree = found.value.inWorktree && hook.path.slice(world.attempt.worktree.length + 1);
  if (inTree && call.changed.has(inTree))
    return failed("hook_failed", `The hook ${inTree} was changed by this run and was not run.`, {
      details: { hook: call.name },
    });
  const ended = await startHook(context, world, { ...call, path: hook.path });
  if (ended.canceled) return { event: "cancel" };
  if (ended.ok) return null;
  return failed("hook_failed", `The hook ${call.name} ${ended.how}.`, {
    details: { hook: call.name, output: ended.tail.slice(-2000) },
  });
}

async function startHook(
  context: ServiceContext,
  world: RunWorld,
  call: HookCall & { readonly target: GitTarget; readonly path: string },
): Promise<{
  readonly ok: boolean;
  readonly canceled: boolean;
  readonly how: string;
  readonly tail: string;
}> {
  let tail = "";
  const keep = (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARS);
  };
  const { env } = agentEnvironment({
    user: context.userEnv,
    deny: world.configuration.values.env.deny,
    cwd: world.attempt.worktree,
    added: {
      GIT_DIR: call.target.gitDir,
      GIT_WORK_TREE: world.attempt.worktree,
      GIT_INDEX_FILE: `${call.target.gitDir}/index`,
      GIT_EDITOR: ":",
      GIT_PREFIX: "",
      TAZUNA_RUN: world.run.id,
    },
  });
  const ended = await exec([call.path, ...call.args], {
    cwd: world.attempt.worktree,
    env,
    timeoutMs: HOOK_MS,
    graceMs: context.timing.graceMs,
    maxOutputBytes: 0,
    onStdout: keep,
    onStderr: keep,
    signal: AbortSignal.any([world.signal, context.leaving]),
    marker: { name: "TAZUNA_RUN", value: world.run.id },
  });
  await writeOwnLog(context, world.run.id, {
    step: `hook ${call.name}`,
    text: tail.trimEnd() || "(it printed nothing)",
  });
  const canceled = ended.started ? ended.canceled : ended.error.kind === "canceled";
  if (canceled && !world.signal.aborted) throw new EngineLeaving();
  if (!ended.started) return { ok: false, canceled, how: `could not be run: ${ended.error.message}`, tail };
  const how = ended.timedOut
    ? `took longer than ${HOOK_MS / 1000} s`
    : `ended with exit code ${ended.code ?? "(signal)"}`;
  return { ok: ended.code === 0 && !ended.timedOut, canceled: ended.canceled, how, tail };
}
