/** Decides what holds the programs of a run back, and turns their commands into confined ones. */
import { mkdir, writeFile } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { type Failure, failure } from "../../domain/run/failure.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "../runs/step.ts";
import { guardRun } from "./guard-run.ts";
import { type ProgramNeeds, runProfile } from "./run-profile.ts";

export interface Confinement {
  /** What holds: told with the run. */
  readonly isolation: "sandbox" | "guard" | "none";
  /** One sentence: why no more than that; null where it is what was asked for. */
  readonly reason: string | null;
  /** What is set over the environment that a program would have. */
  env(below: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>;
  /** The command as it is started. */
  argv(needs: ProgramNeeds): Promise<readonly string[]>;
}

/** By the configuration and by what this machine can do; `sandbox_unavailable` where only the sandbox will do. */
export async function confineRun(
  context: ServiceContext,
  world: RunWorld,
): Promise<Result<Confinement, Failure>> {
  const { isolation } = world.configuration.values;
  if (isolation === "guard") return ok(guarded(context, world, null));
  const sandbox = await context.sandbox();
  if (!sandbox.available) {
    const { reason, remedy } = sandbox;
    if (isolation === "auto") return ok(guarded(context, world, reason));
    return err(failure("sandbox_unavailable", reason, { remedy, details: { isolation } }));
  }
  return ok({
    isolation: "sandbox",
    reason: null,
    // Git's own files cannot be written inside: it is not to try.
    env: async () => ({
      TAZUNA_SANDBOX: sandbox.name,
      TMPDIR: "/tmp",
      TEMP: "/tmp",
      TMP: "/tmp",
      GIT_OPTIONAL_LOCKS: "0",
    }),
    argv: async (needs) => {
      const profile = runProfile(context, world, needs);
      await mkdir(profile.temporary, { recursive: true, mode: 0o700 });
      await writeFile(profile.emptyFile, "", { mode: 0o600, flag: "a" });
      return sandbox.confine(needs.argv, profile);
    },
  });
}

/** Windows starts no script of a shell by the name of a program, so nothing would stand in front there. */
function guarded(context: ServiceContext, world: RunWorld, reason: string | null): Confinement {
  const argv: Confinement["argv"] = async (needs) => needs.argv;
  if (process.platform === "win32")
    return { isolation: "none", reason: "On Windows there is no guard.", env: async () => ({}), argv };
  return { isolation: "guard", reason, env: (below) => guardRun(context, world, below), argv };
}
