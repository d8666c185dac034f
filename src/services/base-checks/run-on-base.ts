/** Runs a declared check on the files of a base: in a copy of its own that goes away afterwards, confined as ever. */
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ConfiguredCheck } from "../../domain/configuration/schema.ts";
import type { BaseCheck } from "../../domain/run/base-check.ts";
import type { Run } from "../../domain/run/run.ts";
import { borrowedCopy } from "../../git/repository/borrowed-copy.ts";
import { withScratch } from "../../git/runner/scratch.ts";
import { runMarker } from "../../keeper/files.ts";
import { stopMarked } from "../../utils/programs/process-identity.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { pathsApart, worldApart } from "../confinement/apart.ts";
import type { ConfinedEnd } from "../confinement/run-confined.ts";
import { packageStores } from "../confinement/run-profile.ts";
import { runScript } from "../confinement/run-script.ts";
import type { ConfinedContext, Uses } from "../core/context-parts.ts";
import { findCheckout } from "../core/find-checkout.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import type { RunWorld } from "../run-core/step.ts";
import { copyWantedFiles } from "../worktrees/copy-files.ts";

interface OnBase {
  readonly place: AttemptPlace;
  readonly baseSha: string;
  readonly check: ConfiguredCheck;
  readonly configuration: LoadedConfiguration;
  /** See `worldApart`. */
  readonly run: Run;
}

type Ended = Pick<BaseCheck, "outcome" | "exitCode" | "durationMs" | "output">;

/** What the names of its folders begin with. */
const SCRATCH = "base";

/** How many times as long as any other git call a checkout may take. */
const CHECKOUT_FACTOR = 5;

/** Throws `EngineStopping` if the engine stops meanwhile. */
export async function runOnBase(engine: ConfinedContext, on: OnBase): Promise<Ended> {
  return withScratch(engine.git, SCRATCH, async (folder) => {
    const worktree = join(folder, "files");
    const { place, baseSha, configuration } = on;
    const made = await borrowedCopy(engine.git, {
      commonDir: place.repository.commonDir,
      sha: baseSha,
      path: worktree,
      timeoutMs: configuration.values.limits.git_s * 1000 * CHECKOUT_FACTOR,
    });
    if (made.isErr()) return notRun(`The files of the base could not be made: ${made.error.message}`);
    const context = { ...engine, paths: pathsApart(engine.paths, folder) };
    const world = worldApart({
      // The next engine knows what carries it by the folder, if this one is killed.
      id: basename(folder),
      place: { ...place, attempt: { ...place.attempt, worktree, gitDir: null } },
      configuration,
      run: { ...on.run, startSha: baseSha },
      signal: new AbortController().signal,
    });
    const problem = await makeReady(context, world);
    if (problem !== null) return problem;
    const ended = await runScript(context, world, {
      label: `check ${on.check.name}`,
      command: on.check.run,
      timeoutMs: on.check.timeout_s * 1000,
    });
    return endedAs(ended);
  });
}

/** Stops what an engine that was killed left running. To be called while the folders are still there. */
export async function stopLeftOnBases({ paths, timing }: Uses<"paths" | "timing">): Promise<void> {
  const names = await readdir(paths.scratch).catch(() => [] as string[]);
  for (const name of names)
    if (name.startsWith(`${SCRATCH}-`)) await stopMarked(runMarker(name), { graceMs: timing.graceMs });
}

/** What a new worktree gets before its agent: copied files, then the setup. */
async function makeReady(context: ConfinedContext, world: RunWorld): Promise<Ended | null> {
  const { copy, setup, limits } = world.configuration.values;
  if (copy.length > 0) {
    const checkout = await findCheckout(world.repository);
    if (checkout.isErr()) return notRun(checkout.error);
    await copyWantedFiles(context, world, checkout.value);
  }
  for (const command of setup) {
    const ended = await runScript(context, world, {
      label: "setup",
      command,
      timeoutMs: limits.setup_s * 1000,
      writable: packageStores(context),
    });
    if (ended.code !== 0) return notRun(`The setup command "${command}" failed:\n${ended.tail}`);
  }
  return null;
}

export function notRun(output: string): Ended {
  return { outcome: "not_run", exitCode: null, durationMs: 0, output };
}

function endedAs({ code, timedOut, problem, tail, durationMs }: ConfinedEnd): Ended {
  if (problem !== null) return notRun(problem);
  const outcome = timedOut ? "timed_out" : code === 0 ? "passed" : "failed";
  return { outcome, exitCode: code, durationMs, output: tail };
}
