/** Starts the agent of a run under a keeper that outlives the server. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { agentEnvironment } from "../../domain/agent/environment.ts";
import { type Failure, failure } from "../../domain/run/failure.ts";
import type { LaunchPlan } from "../../executors/executor.ts";
import { writeSpec } from "../../keeper/control.ts";
import { formatSecrets, KEEPER_FILES } from "../../keeper/files.ts";
import { writeFileAtomic } from "../../utils/atomic-write.ts";
import { startDetached } from "../../utils/exec.ts";
import type { ResolvedAgent } from "../agents/resolve-agent.ts";
import { trustFailure } from "../configuration/trust-failure.ts";
import type { ServiceContext } from "../context.ts";
import { agentPrompt } from "./agent-prompt.ts";
import { recordLaunch } from "./launch.ts";
import { launchRequest } from "./launch-request.ts";
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
  const request = launchRequest(context, world, { agent, resume, prompt });
  await mkdir(request.agentDir, { recursive: true, mode: 0o700 });
  const plan = agent.executor.plan(request);
  if ((await context.probe.which(plan.argv[0] ?? "")) === null)
    return missingProgram(agent, plan.argv[0] ?? "");
  for (const file of plan.files) {
    await mkdir(dirname(file.path), { recursive: true, mode: 0o700 });
    await writeFileAtomic(file.path, file.content, { mode: 0o600 });
  }
  await recordLaunch(context.paths.run(world.run.id), {
    resumed: resume,
    sessionId: plan.sessionId,
    restarts: world.run.options.restarts ?? 0,
    primed: resume === null && world.earlier.length > 0,
    totalsBefore: world.attempt.usageTotals,
  });
  return startKeeper(context, world, { agent, plan, prompt });
}

async function startKeeper(
  context: ServiceContext,
  world: RunWorld,
  options: { readonly agent: ResolvedAgent; readonly plan: LaunchPlan; readonly prompt: string },
): Promise<Failure | null> {
  const { plan, agent } = options;
  const { limits, env } = world.configuration.values;
  const dir = context.paths.run(world.run.id);
  const environment = agentEnvironment({
    user: context.userEnv,
    deny: env.deny,
    cwd: world.attempt.worktree,
    added: {
      ...agent.profile.env,
      ...(agent.profile.home === null ? {} : { HOME: agent.profile.home }),
      ...plan.env,
      TAZUNA_RUN: world.run.id,
      TAZUNA_ATTEMPT: world.attempt.id,
      TAZUNA_TASK: world.task.id,
    },
  });
  await writeSpec(
    dir,
    {
      run: world.run.id,
      argv: [...plan.argv],
      cwd: world.attempt.worktree,
      stdin: plan.stdin,
      timeoutMs: limits.timeout_s * 1000,
      stallMs: limits.stall_s * 1000,
      graceMs: context.timing.graceMs,
      ...context.outputLimits,
      executor: agent.executor.id,
      redactNames: environment.secret,
    },
    // Written whatever the agent's stdin is: what speaks a protocol is told the prompt from this file, by any engine.
    { prompt: options.prompt },
  );
  context.failpoint("before:launch");
  const started = await startDetached([...context.selfCommand, "__keep", world.run.id, "--dir", dir], {
    cwd: dir,
    env: environment.env,
    stdoutFile: join(dir, KEEPER_FILES.log),
    stderrFile: join(dir, KEEPER_FILES.log),
    input: formatSecrets(environment.secret.flatMap((name) => context.userEnv[name] ?? [])),
  });
  context.failpoint("after:launch");
  return started.started
    ? null
    : failure("internal", `The keeper could not be started: ${started.error.message}`);
}

/** The failure of a run whose agent's program is not on this machine. */
export function missingProgram(agent: ResolvedAgent, program: string): Failure {
  const message = `The agent "${agent.profile.id}" needs the program "${program}", which was not found.`;
  return failure("agent_not_found", message, { details: { program, executor: agent.executor.id } });
}
