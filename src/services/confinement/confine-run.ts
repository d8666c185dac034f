/** Decides what holds the programs of a run back, and turns their commands into confined ones. */
import { mkdir, writeFile } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { type Failure, failure } from "../../domain/run/failure.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "../runs/step.ts";
import { type ProgramNeeds, runProfile } from "./run-profile.ts";

export interface Confinement {
  /** What holds: told with the run. */
  readonly isolation: "sandbox" | "none";
  /** Over the program's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The command as it is started. */
  argv(needs: ProgramNeeds): Promise<readonly string[]>;
}

const UNCONFINED: Confinement = { isolation: "none", env: {}, argv: async ({ argv }) => argv };

/** By the configuration and by what this machine can do; `sandbox_unavailable` where only the sandbox will do. */
export async function confineRun(
  context: ServiceContext,
  world: RunWorld,
): Promise<Result<Confinement, Failure>> {
  const { isolation } = world.configuration.values;
  if (isolation === "guard") return ok(UNCONFINED);
  const sandbox = await context.sandbox();
  if (!sandbox.available) {
    if (isolation === "auto") return ok(UNCONFINED);
    const { reason, remedy } = sandbox;
    return err(failure("sandbox_unavailable", reason, { remedy, details: { isolation } }));
  }
  return ok({
    isolation: "sandbox",
    // Git's own files cannot be written inside: it is not to try.
    env: { TAZUNA_SANDBOX: sandbox.name, TMPDIR: "/tmp", TEMP: "/tmp", TMP: "/tmp", GIT_OPTIONAL_LOCKS: "0" },
    argv: async (needs) => {
      const profile = runProfile(context, world, needs);
      await mkdir(profile.temporary, { recursive: true, mode: 0o700 });
      await writeFile(profile.emptyFile, "", { mode: 0o600, flag: "a" });
      return sandbox.confine(needs.argv, profile);
    },
  });
}
