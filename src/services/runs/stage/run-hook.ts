/** Runs one of the repository's own commit hooks, as git would, without the user's credentials and within a time limit. */
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ok } from "neverthrow";
import { isHook } from "../../../domain/repository/watched-settings.ts";
import { type CommitHook, findHooks } from "../../../git/repository/hooks.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import { settingsPlace } from "../../../git/settings/list-settings.ts";
import { runMarker } from "../../../keeper/files.ts";
import { type ConfinedEnd, leaveIfStopped, runConfined } from "../../confinement/run-confined.ts";
import type { ConfinedContext, Uses } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { writeOwnLog } from "../../run-core/own-log.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";

const HOOK_MS = 120_000;

interface HookCall {
  readonly name: CommitHook;
  readonly args: readonly string[];
  /** Paths that differ from HEAD: if a hook is among them, the agent wrote it and it is not run. */
  readonly changed: ReadonlySet<string>;
}

/**
 * Null if the hook passed, is missing or is not to run; else the step that ends the run. Throws `EngineStopping` if
 * the engine stops meanwhile.
 */
export async function runHook(
  context: ConfinedContext,
  world: RunWorld,
  call: HookCall & { readonly target: GitTarget },
): Promise<Step | null> {
  if (world.configuration.values.hooks === "off") return null;
  const found = await findHooks(context.git, call.target);
  if (found.isErr()) return gitFailed("commit", found.error);
  const hook = found.value.hooks.find(({ name }) => name === call.name);
  if (hook === undefined) return null;
  const { settings } = context.git;
  const planted = settings === null ? ok([]) : await settings.planted(settingsPlace(call.target));
  if (planted.isErr()) return gitFailed("commit", planted.error);
  const at = planted.value.map(({ key }) => key).filter(isHook);
  if (at.length > 0)
    return failed("hook_failed", `Hooks changed while an agent worked, and were not run: ${at.join(", ")}`, {
      details: { hook: call.name, at, cause: "changed" },
    });
  const inTree = found.value.inWorktree && hook.path.slice(world.attempt.worktree.length + 1);
  if (inTree && call.changed.has(inTree))
    return failed("hook_failed", `The hook ${inTree} was changed by this run and was not run.`, {
      details: { hook: call.name, cause: "changed" },
    });
  const ended = await startHook(context, world, { ...call, path: hook.path });
  if (ended.canceled) return { event: "cancel" };
  if (ended.code === 0 && !ended.timedOut) return null;
  return failed("hook_failed", `The hook ${call.name} ${wordsOf(ended)}.`, {
    details: { hook: call.name, output: ended.tail.slice(-2000) },
  });
}

/** Sets git's own variables, as git would. */
async function startHook(
  context: ConfinedContext,
  world: RunWorld,
  call: HookCall & { readonly target: GitTarget; readonly path: string },
): Promise<ConfinedEnd> {
  const { gitDir } = call.target;
  const scratch = await scratchIndex(context, world, gitDir);
  const ended = await runConfined(context, world, {
    argv: [call.path, ...call.args],
    writable: [scratch.folder],
    env: {
      GIT_DIR: gitDir,
      GIT_WORK_TREE: world.attempt.worktree,
      ...scratch.env,
      GIT_EDITOR: ":",
      GIT_PREFIX: "",
      TAZUNA_RUN: world.run.id,
    },
    timeoutMs: HOOK_MS,
    marker: runMarker(world.run.id),
  });
  await writeOwnLog(context, world.run.id, {
    step: `hook ${call.name}`,
    text: ended.tail.trimEnd() || "(it printed nothing)",
  });
  leaveIfStopped(world, ended);
  return ended;
}

/** The folder that a run's hooks may write to in addition to the worktree, confined or not. */
export async function hookFolder(context: Uses<"paths">, runId: string): Promise<string> {
  const folder = join(context.paths.run(runId), "hook");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * A copy of the index and a place for new objects. A hook can stage its changes there, and git's own files stay as they
 * are. What it changed in the worktree is staged again after it.
 */
async function scratchIndex(
  context: Uses<"paths">,
  world: RunWorld,
  gitDir: string,
): Promise<{ readonly folder: string; readonly env: Readonly<Record<string, string>> }> {
  const folder = await hookFolder(context, world.run.id);
  await mkdir(join(folder, "objects"), { recursive: true, mode: 0o700 });
  await copyFile(join(gitDir, "index"), join(folder, "index"));
  return {
    folder,
    env: {
      GIT_INDEX_FILE: join(folder, "index"),
      GIT_OBJECT_DIRECTORY: join(folder, "objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(world.repository.commonDir, "objects"),
    },
  };
}

function wordsOf({ problem, timedOut, code }: ConfinedEnd): string {
  if (problem !== null) return `could not be run: ${problem}`;
  return timedOut ? `took longer than ${HOOK_MS / 1000} s` : `ended with exit code ${code ?? "(signal)"}`;
}
