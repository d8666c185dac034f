/** Decides how the programs of a run are confined, and turns their commands into confined ones (seed 003 Phase 2). */
import { mkdir, writeFile } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { type AgentEnvironment, agentEnvironment, heldBack } from "../../domain/agent/environment.ts";
import { type Failure, failure } from "../../domain/run/failure.ts";
import type { Run } from "../../domain/run/run.ts";
import type { GitError } from "../../git/process/git-error.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { Uses } from "../core/context-parts.ts";
import type { RunWorld } from "../run-core/step.ts";
import { guardRun } from "./guard-run.ts";
import { listedNetwork, PROXY_VARIABLES } from "./listed-network.ts";
import { type ProgramNeeds, runProfile, temporaryFolder } from "./run-profile.ts";

export interface Confinement {
  /** What confines the programs: shown with the run. */
  readonly isolation: NonNullable<Run["isolation"]>;
  /** One sentence: why it is no more than that; null if it is what was asked for. */
  readonly reason: string | null;
  /** The variables to set over the environment that a program would have. */
  env(below: Readonly<Record<string, string>>): Promise<Result<Readonly<Record<string, string>>, GitError>>;
  /** The command as it is started, once for each start. */
  command(needs: ProgramNeeds): Promise<ConfinedCommand>;
}

interface ConfinedCommand {
  readonly argv: readonly string[];
  /**
   * Another command that must be ready before this one, and works until it ends (`utils/programs/beside.ts`). Usually
   * null.
   */
  readonly beside: readonly string[] | null;
}

/**
 * Follows the configuration and what this machine can do. Answers `sandbox_unavailable` if only the sandbox is allowed
 * and it is missing.
 */
export async function confineRun(
  context: Uses<"git" | "sandbox" | "paths" | "userEnv" | "selfCommand" | "ownFolders">,
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
    const how = `${remedy} To go on without one: {set isolation auto}. Then {again}.`;
    return err(failure("sandbox_unavailable", reason, { remedy: how, details: { isolation } }));
  }
  if (typeof network === "object" && !sandbox.listsHosts)
    return err(networkNeedsSandbox(`${sandbox.name} cannot hold a program to a list of hosts.`));
  return ok(sandboxed(context, world, sandbox));
}

function sandboxed(
  context: Uses<"paths" | "userEnv" | "selfCommand" | "ownFolders">,
  world: RunWorld,
  sandbox: Extract<Sandbox, { available: true }>,
): Confinement {
  const { network } = world.configuration.values.sandbox;
  const hosts = typeof network === "string" ? null : network;
  const temporary = sandbox.temporaryAt ?? temporaryFolder(context, world);
  return {
    isolation: "sandbox",
    reason: null,
    // Git's own files cannot be written inside, so git must not try.
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

/** The environment of a program of the run: the user's own, what is added to it, and what confines it. */
export async function programEnvironment(
  context: Uses<"userEnv">,
  { attempt, configuration }: RunWorld,
  program: { readonly added: Readonly<Record<string, string>>; readonly confinement: Confinement },
): Promise<Result<AgentEnvironment, GitError>> {
  const made = agentEnvironment({
    user: context.userEnv,
    deny: heldBack(configuration),
    cwd: attempt.worktree,
    added: program.added,
  });
  const set = await program.confinement.env(made.env);
  return set.map((over) => ({ ...made, env: { ...made.env, ...over } }));
}

/** Only the sandbox takes the network from a program; going on with it would break a promise. */
function networkNeedsSandbox(reason: string): Failure {
  return failure("sandbox_unavailable", `${reason} Only a sandbox holds \`sandbox.network\`.`, {
    remedy:
      "`tazuna doctor` says how this machine gets a sandbox. To leave the network open: {set sandbox.network on}. Then {again}.",
    details: { key: "sandbox.network" },
  });
}

/** Windows does not start a shell script by the name of a program, so the guard would not work there. */
function guarded(
  context: Uses<"git" | "paths" | "userEnv" | "selfCommand">,
  world: RunWorld,
  reason: string | null,
): Confinement {
  const command: Confinement["command"] = async ({ argv }) => ({ argv, beside: null });
  if (process.platform === "win32")
    return { isolation: "none", reason: "On Windows there is no guard.", env: async () => ok({}), command };
  return { isolation: "guard", reason, env: (below) => guardRun(context, world, below), command };
}
