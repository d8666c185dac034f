/** Starts the agent of a run under a keeper that outlives the server. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Result } from "neverthrow";
import { type AgentEnvironment, agentEnvironment } from "../../domain/agent/environment.ts";
import { type Failure, failure } from "../../domain/run/failure.ts";
import type { AgentPlaces, LaunchPlan } from "../../executors/executor.ts";
import type { GitError } from "../../git/git-error.ts";
import { writeSpec } from "../../keeper/control.ts";
import { type KeeperSpec, RUN_MARKER } from "../../keeper/files.ts";
import { writeFileAtomic } from "../../utils/atomic-write.ts";
import type { ResolvedAgent } from "../agents/resolve-agent.ts";
import { trustFailure } from "../configuration/trust-failure.ts";
import { type Confinement, confineRun } from "../confinement/confine-run.ts";
import { guardFolder } from "../confinement/guard-run.ts";
import { secretsOf } from "../confinement/secrets-of.ts";
import type { ServiceContext } from "../context.ts";
import { agentPrompt } from "./agent-prompt.ts";
import { handAttempt } from "./attempt-variables.ts";
import { gitFailure } from "./git-failure.ts";
import { type Launch, nextLaunch, recordLaunch } from "./launch.ts";
import { launchRequest } from "./launch-request.ts";
import { makeHeld } from "./make-held.ts";
import { readObeyed } from "./obeyed-files.ts";
import { orderKeeper } from "./standby-keeper.ts";
import type { RunWorld } from "./step.ts";

/** Null where it was started, else why it could not be. */
export async function launchAgent(
  context: ServiceContext,
  world: RunWorld,
  options: { readonly agent: ResolvedAgent; readonly resume: string | null },
): Promise<Failure | null> {
  const { agent, resume } = options;
  const changed = await trustFailure(context, world);
  if (changed !== null) return changed;
  const prompt = await agentPrompt(context, world, { resumed: resume !== null, executor: agent.executor });
  const confined = await confineRun(context, world);
  if (confined.isErr()) return confined.error;
  const confinement = confined.value;
  const request = launchRequest(context, world, {
    agent,
    resume,
    prompt,
    isolation: confinement.isolation === "sandbox" ? "sandbox" : "guard",
    hook: confinement.isolation === "none" ? null : gitHook(context, world),
  });
  for (const folder of [request.agentDir, dirname(request.summaryFile)])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  const plan = agent.executor.plan(request);
  if ((await context.probe.which(plan.argv[0] ?? "")) === null)
    return missingProgram(agent, plan.argv[0] ?? "");
  for (const file of plan.files) {
    await mkdir(dirname(file.path), { recursive: true, mode: 0o700 });
    await writeFileAtomic(file.path, file.content, { mode: 0o600 });
  }
  const launch = await nextLaunch(context.paths.run(world.run.id), {
    resumed: resume,
    sessionId: plan.sessionId,
    restarts: world.run.options.restarts ?? 0,
    isolation: confinement.isolation,
    isolationReason: confinement.reason,
    obeyed: {},
    primed: resume === null && world.earlier.length > 0,
    totalsBefore: world.attempt.usageTotals,
  });
  return startAgent(context, world, { agent, plan, prompt, launch, confinement });
}

/** Says to the agent what the guard or the sandbox would make of a command that writes git, before the shell has it. */
function gitHook(context: ServiceContext, { run, repository }: RunWorld): readonly string[] {
  return [...context.selfCommand, "__hook", repository.commonDir, guardFolder(context, run.id)];
}

interface Start {
  readonly agent: ResolvedAgent;
  readonly plan: LaunchPlan;
  readonly prompt: string;
  readonly launch: Launch;
  readonly confinement: Confinement;
}

/** Everything is on the disk before the keeper hears its order. */
async function startAgent(
  context: ServiceContext,
  world: RunWorld,
  { agent, plan, prompt, launch, confinement }: Start,
): Promise<Failure | null> {
  const dir = context.paths.run(world.run.id);
  const made = await environmentOf(context, world, {
    agent,
    plan,
    confinement,
    attempt: await handAttempt(context, world),
  });
  if (made.isErr()) return gitFailure("worktree", made.error);
  const secrets = await secretsOf(context, world);
  if (secrets.isErr()) return gitFailure("worktree", secrets.error);
  const environment = made.value;
  const places = agent.executor.places(environment.env);
  const obeyed = places.obeyed.map(({ path }) => path);
  const command = await confinement.command({
    argv: plan.argv,
    writable: await makePlaces(places, confinement),
    own: places.own,
    readOnly: [...obeyed, ...(agent.profile.home === null ? [] : [agent.profile.home])],
  });
  const { limits } = world.configuration.values;
  const spec: KeeperSpec = {
    run: world.run.id,
    ...command,
    wrapped: confinement.isolation === "sandbox",
    cwd: world.attempt.worktree,
    stdin: plan.stdin,
    timeoutMs: limits.timeout_s * 1000,
    stallMs: limits.stall_s * 1000,
    graceMs: context.timing.graceMs,
    ...context.outputLimits,
    executor: agent.executor.id,
    redactNames: environment.secret,
  };
  // The prompt is written whatever the agent's stdin is: what speaks a protocol is told it from this file, by any engine.
  const told = { ...launch, obeyed: readObeyed(obeyed) };
  await Promise.all([recordLaunch(dir, told), writeSpec(dir, spec, { prompt })]);
  context.failpoint("before:launch");
  const problem = await orderKeeper(context, world, {
    env: environment.env,
    secrets: secrets.value,
  });
  context.failpoint("after:launch");
  return problem;
}

async function environmentOf(
  context: ServiceContext,
  world: RunWorld,
  {
    agent,
    plan,
    confinement,
    attempt,
  }: Omit<Start, "prompt" | "launch"> & { readonly attempt: Readonly<Record<string, string>> },
): Promise<Result<AgentEnvironment, GitError>> {
  const made = agentEnvironment({
    user: context.userEnv,
    deny: world.configuration.values.env.deny,
    cwd: world.attempt.worktree,
    added: {
      ...agent.profile.env,
      ...(agent.profile.home === null ? {} : { HOME: agent.profile.home }),
      ...plan.env,
      ...attempt,
      [RUN_MARKER]: world.run.id,
    },
  });
  return (await confinement.env(made.env)).map((over) => ({ ...made, env: { ...made.env, ...over } }));
}

/** A program that was never used has no folder yet, and could not make one. Only a sandbox holds what is obeyed. */
async function makePlaces(places: AgentPlaces, { isolation }: Confinement): Promise<readonly string[]> {
  const { folders, files } = places;
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  if (isolation === "sandbox") await makeHeld(places);
  return [...folders, ...files];
}

/** The failure of a run whose agent's program is not on this machine. */
export function missingProgram(agent: ResolvedAgent, program: string): Failure {
  const message = `The agent "${agent.profile.id}" needs the program "${program}", which was not found.`;
  return failure("agent_not_found", message, { details: { program, executor: agent.executor.id } });
}
