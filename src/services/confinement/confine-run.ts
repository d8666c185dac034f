/** Decides what holds the programs of a run back, and turns their commands into confined ones. */
import { mkdir, writeFile } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { type Failure, failure } from "../../domain/run/failure.ts";
import type { GitError } from "../../git/git-error.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "../runs/step.ts";
import { guardRun } from "./guard-run.ts";
import { listedNetwork, PROXY_VARIABLES } from "./listed-network.ts";
import { type ProgramNeeds, runProfile, temporaryFolder } from "./run-profile.ts";

export interface Confinement {
  /** What holds: told with the run. */
  readonly isolation: "sandbox" | "guard" | "none";
  /** One sentence: why no more than that; null where it is what was asked for. */
  readonly reason: string | null;
  /** What is set over the environment that a program would have. */
  env(below: Readonly<Record<string, string>>): Promise<Result<Readonly<Record<string, string>>, GitError>>;
  /** The command as it is started, once for each start. */
  command(needs: ProgramNeeds): Promise<ConfinedCommand>;
}

export interface ConfinedCommand {
  readonly argv: readonly string[];
  /** Another command that has to be ready before, and to work until it ends (`utils/beside.ts`); null for most. */
  readonly beside: readonly string[] | null;
}

/** By the configuration and by what this machine can do; `sandbox_unavailable` where only the sandbox will do. */
export async function confineRun(
  context: ServiceContext,
  world: RunWorld,
): Promise<Result<Confinement, Failure>> {
  const { isolation, sandbox: asked } = world.configuration.values;
  const { network } = asked;
  if (isolation === "guard")
    return network === "on"
      ? ok(guarded(context, world, null))
      : err(networkNeedsSandbox("`isolation` is `guard`."));
  const sandbox = await context.sandbox();
  if (!sandbox.available) {
    const { reason, remedy } = sandbox;
    if (isolation === "auto")
      return network === "on" ? ok(guarded(context, world, reason)) : err(networkNeedsSandbox(reason));
    return err(failure("sandbox_unavailable", reason, { remedy, details: { isolation } }));
  }
  if (typeof network === "object" && !sandbox.listsHosts)
    return err(networkNeedsSandbox(`${sandbox.name} cannot hold a program to a list of hosts.`));
  return ok(sandboxed(context, world, sandbox));
}

function sandboxed(
  context: ServiceContext,
  world: RunWorld,
  sandbox: Extract<Sandbox, { available: true }>,
): Confinement {
  const { network } = world.configuration.values.sandbox;
  const hosts = typeof network === "string" ? null : network;
  const temporary = sandbox.temporaryAt ?? temporaryFolder(context, world);
  return {
    isolation: "sandbox",
    reason: null,
    // Git's own files cannot be written inside: it is not to try.
    env: async () =>
      ok({
        TAZUNA_SANDBOX: sandbox.name,
        ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary },
        GIT_OPTIONAL_LOCKS: "0",
        ...(hosts === null ? {} : PROXY_VARIABLES),
      }),
    command: async (needs) => {
      const profile = runProfile(context, world, needs);
      for (const folder of [profile.temporary, ...profile.own.map(({ from }) => from)])
        await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(profile.emptyFile, "", { mode: 0o600, flag: "a" });
      if (hosts === null) {
        const reach = network === "off" ? "none" : "shared";
        return { argv: sandbox.confine(needs.argv, { ...profile, network: reach }), beside: null };
      }
      const listed = await listedNetwork(context, world, hosts);
      return {
        argv: sandbox.confine(needs.argv, { ...profile, network: listed.profile }),
        beside: listed.beside,
      };
    },
  };
}

/** Nothing else takes the network from a program; to go on with it would be a broken promise. */
function networkNeedsSandbox(reason: string): Failure {
  return failure("sandbox_unavailable", `${reason} Only a sandbox holds \`sandbox.network\`.`, {
    remedy:
      "Set `sandbox.network` to `on`, or let the run have a sandbox; `tazuna config` shows where both are set.",
    details: { key: "sandbox.network" },
  });
}

/** Windows starts no script of a shell by the name of a program, so nothing would stand in front there. */
function guarded(context: ServiceContext, world: RunWorld, reason: string | null): Confinement {
  const command: Confinement["command"] = async ({ argv }) => ({ argv, beside: null });
  if (process.platform === "win32")
    return { isolation: "none", reason: "On Windows there is no guard.", env: async () => ok({}), command };
  return { isolation: "guard", reason, env: (below) => guardRun(context, world, below), command };
}
