/** Starts the agent of a run under a keeper that outlives the server (seed 003 Phase 2). */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import { type AgentEnvironment, agentEnvironment } from "../../../domain/agent/environment.ts";
import { buildPrompt } from "../../../domain/agent/prompt.ts";
import { type Failure, failure } from "../../../domain/run/failure.ts";
import type { AgentPlaces, LaunchPlan, LaunchRequest } from "../../../executors/shared/executor.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import { writeSpec } from "../../../keeper/control.ts";
import { type KeeperSpec, RUN_MARKER } from "../../../keeper/files.ts";
import { writeFileAtomic } from "../../../utils/files/atomic-write.ts";
import type { ResolvedAgent } from "../../agents/resolve-agent.ts";
import { type Confinement, confineRun } from "../../confinement/confine-run.ts";
import { guardFolder } from "../../confinement/guard-run.ts";
import { hiddenWords, placeThatHides } from "../../confinement/hidden-program.ts";
import { secretsOf } from "../../confinement/secrets-of.ts";
import type { ServiceContext } from "../../core/context.ts";
import type { AgentContext } from "../../core/context-parts.ts";
import { handAttempt } from "../../run-core/attempt-variables.ts";
import { gitFailure } from "../../run-core/git-failure.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { trustFailure } from "../../trust/trust-failure.ts";
import { makeHeld, readAgentConfig } from "./agent-config-files.ts";
import { type Launch, nextLaunch, recordLaunch } from "./launch.ts";
import { launchRequest } from "./launch-request.ts";
import { mergeToResolve } from "./merge-to-resolve.ts";
import { promptTurn } from "./prompt-turn.ts";
import { orderKeeper } from "./standby-keeper.ts";

/** The facts of the start. The file is not read back: an unconfined agent can write to it. */
export async function launchAgent(
  context: AgentContext,
  world: RunWorld,
  options: { readonly agent: ResolvedAgent; readonly resume: string | null },
): Promise<Result<Launch, Failure>> {
  return safeTry(async function* () {
    const { agent, resume } = options;
    const changed = await trustFailure(context, world);
    if (changed !== null) return err(changed);
    const merge = yield* (await mergeToResolve(context, world)).mapErr((error) =>
      gitFailure("worktree", error),
    );
    const { executor } = agent;
    const turn = await promptTurn(context, world, { resumed: resume !== null, executor });
    const prompt = buildPrompt({ ...world.task, instruction: world.run.instruction, turn, merge });
    const confinement = yield* await confineRun(context, world);
    const request = launchRequest(context, world, {
      agent,
      resume,
      prompt,
      isolation: confinement.isolation === "sandbox" ? "sandbox" : "guard",
      hook: confinement.isolation === "none" ? null : gitHook(context, world),
    });
    for (const folder of [request.agentDir, dirname(request.summaryFile)])
      await mkdir(folder, { recursive: true, mode: 0o700 });
    const planned = executor.plan(request);
    const found = yield* await findProgram(context, world, {
      agent,
      program: planned.argv[0] ?? "",
      confinement,
    });
    // By its absolute path: another entry of PATH, such as a relative one, would mean another program in the worktree.
    const plan = { ...planned, argv: [found, ...planned.argv.slice(1)] };
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
      sessions: null,
      primed: resume === null && world.earlier.length > 0,
      totalsBefore: world.attempt.usageTotals,
    });
    return startAgent(context, world, { agent, request, plan, launch, confinement });
  });
}

/** The absolute path of the agent's program, if the agent can be started there. */
async function findProgram(
  context: Pick<ServiceContext, "probe" | "sandbox" | "paths" | "userEnv" | "ownFolders">,
  { repository, configuration }: RunWorld,
  start: { readonly agent: ResolvedAgent; readonly program: string; readonly confinement: Confinement },
): Promise<Result<string, Failure>> {
  const { agent, program, confinement } = start;
  const binary = await context.probe.which(program);
  if (binary === null) return err(missingProgram(agent, program));
  if (confinement.isolation !== "sandbox") return ok(binary);
  const hides = placeThatHides(context, await context.sandbox(), {
    binary,
    program,
    repository: repository.path,
    write: configuration.values.sandbox.write,
  });
  if (hides === null) return ok(binary);
  const details = { program, executor: agent.executor.id, hidden_by: hides };
  return err(failure("agent_not_found", hiddenWords(binary, hides), { details }));
}

/** Tells the agent how the guard or the sandbox treats a command that writes git, before the shell runs it. */
function gitHook(
  context: Pick<ServiceContext, "paths" | "selfCommand">,
  { run, repository }: RunWorld,
): readonly string[] {
  return [...context.selfCommand, "__hook", repository.commonDir, guardFolder(context, run.id)];
}

interface Start {
  readonly agent: ResolvedAgent;
  readonly request: LaunchRequest;
  readonly plan: LaunchPlan;
  readonly launch: Launch;
  readonly confinement: Confinement;
}

/** Everything is on the disk before the keeper gets its order. */
async function startAgent(
  context: AgentContext,
  world: RunWorld,
  { agent, request, plan, launch, confinement }: Start,
): Promise<Result<Launch, Failure>> {
  const dir = context.paths.run(world.run.id);
  const made = await environmentOf(context, world, {
    agent,
    plan,
    confinement,
    attempt: await handAttempt(context, world),
  });
  if (made.isErr()) return err(gitFailure("worktree", made.error));
  const secrets = await secretsOf(context, world);
  if (secrets.isErr()) return err(gitFailure("worktree", secrets.error));
  const environment = made.value;
  const places = agent.executor.places(environment.env);
  const config = places.config.map(({ path }) => path);
  const command = await confinement.command({
    argv: plan.argv,
    writable: await makePlaces(places, confinement),
    own: places.own,
    readOnly: [...config, ...(agent.profile.home === null ? [] : [agent.profile.home])],
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
    summaryFile: request.summaryFile,
  };
  // The prompt file is always written: an agent that speaks a protocol gets the prompt from it, through any engine.
  const sessions = agent.executor.sessions?.folder(environment.env) ?? null;
  const launched = { ...launch, obeyed: readAgentConfig(config), sessions };
  await Promise.all([recordLaunch(dir, launched), writeSpec(dir, spec, { prompt: request.prompt })]);
  context.failpoint("before:launch");
  const problem = await orderKeeper(context, world, {
    env: environment.env,
    secrets: secrets.value,
  });
  context.failpoint("after:launch");
  return problem === null ? ok(launched) : err(problem);
}

async function environmentOf(
  context: Pick<ServiceContext, "userEnv">,
  world: RunWorld,
  {
    agent,
    plan,
    confinement,
    attempt,
  }: Pick<Start, "agent" | "plan" | "confinement"> & { readonly attempt: Readonly<Record<string, string>> },
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

/**
 * A program that was never used has no folder yet, and could not make one. Only a sandbox protects its configuration.
 */
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
