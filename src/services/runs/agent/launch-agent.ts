/** Starts the agent of a run under a keeper that outlives the server (seed 003 Phase 2). */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import { approvalsOf } from "../../../domain/question/approvals.ts";
import type { Failure } from "../../../domain/run/failure.ts";
import { startsBefore } from "../../../domain/run/waiting.ts";
import type { LaunchPlan, LaunchRequest } from "../../../executors/shared/executor.ts";
import { writeSpec } from "../../../keeper/control.ts";
import { type KeeperSpec, RUN_MARKER } from "../../../keeper/files.ts";
import { questionsOfRun } from "../../../storage/tables/questions.ts";
import { writeFileAtomic } from "../../../utils/files/atomic-write.ts";
import type { ResolvedAgent } from "../../agents/resolve-agent.ts";
import { type Confinement, confineRun, programEnvironment } from "../../confinement/confine-run.ts";
import { guardFolder } from "../../confinement/guard-run.ts";
import { secretsOf } from "../../confinement/secrets-of.ts";
import type { AgentContext, Uses } from "../../core/context-parts.ts";
import { handAttempt } from "../../run-core/attempt-variables.ts";
import { gitFailure } from "../../run-core/git-failure.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { trustFailure } from "../../trust/trust-failure.ts";
import { makePlaces, readAgentConfig } from "./agent-config-files.ts";
import { findProgram } from "./agent-program.ts";
import { type Launch, nextLaunch, recordLaunch } from "./launch.ts";
import { launchRequest } from "./launch-request.ts";
import { asksPerson, mailboxVariables, makeMailbox } from "./run-mailbox.ts";
import { runPrompt } from "./run-prompt.ts";
import { orderKeeper } from "./standby-keeper.ts";

/** The facts of the start. The file is not read back: an unconfined agent can write to it. */
export async function launchAgent(
  context: AgentContext,
  world: RunWorld,
  options: { readonly agent: ResolvedAgent; readonly resume: string | null },
): Promise<Result<Launch, Failure>> {
  return safeTry(async function* () {
    const { agent, resume } = options;
    const { executor } = agent;
    const changed = await trustFailure(context, world);
    if (changed !== null) return err(changed);
    const prompt = yield* (await runPrompt(context, world, { executor, resumed: resume !== null })).mapErr(
      worktreeFailure,
    );
    const confinement = yield* await confineRun(context, world);
    const isolation = confinement.isolation === "sandbox" ? "sandbox" : "guard";
    const approvals = approvalsOf(agent.profile.approvals, isolation);
    const request = launchRequest(context, world, {
      agent,
      resume,
      prompt,
      isolation,
      approvals,
      hook: confinement.isolation === "none" ? null : gitHook(context, world),
    });
    for (const folder of [request.agentDir, dirname(request.summaryFile)])
      await mkdir(folder, { recursive: true, mode: 0o700 });
    const planned = executor.plan(request);
    const [program = "", ...rest] = planned.argv;
    const found = yield* await findProgram(context, world, { agent, program, confinement });
    // By its absolute path: another entry of PATH, such as a relative one, would mean another program in the worktree.
    const plan = { ...planned, argv: [found, ...rest] };
    for (const file of plan.files) {
      await mkdir(dirname(file.path), { recursive: true, mode: 0o700 });
      await writeFileAtomic(file.path, file.content, { mode: 0o600 });
    }
    const decided = {
      resumed: resume,
      sessionId: plan.sessionId,
      restarts: startsBefore(world.run),
      isolation: confinement.isolation,
      isolationReason: confinement.reason,
      approvals,
      asksPerson: asksPerson(world, agent),
      obeyed: {},
      sessions: null,
      primed: resume === null && world.earlier.length > 0,
      totalsBefore: world.attempt.usageTotals,
    };
    const folder = context.paths.run(world.run.id);
    const launch = await nextLaunch(folder, decided, await latestAsker(context, world));
    return startAgent(context, world, { agent, request, plan, launch, confinement });
  });
}

/** The number of the latest start that asked something, on whatever worker; 0 without one. Its questions keep their keys. */
async function latestAsker({ db }: Uses<"db">, { run }: Pick<RunWorld, "run">): Promise<number> {
  return Math.max(0, ...(await questionsOfRun(db.reader, run.id)).map(({ start }) => start));
}

/** Tells the agent how the guard or the sandbox treats a command that writes git, before the shell runs it. */
function gitHook(context: Uses<"paths" | "selfCommand">, { run, repository }: RunWorld): readonly string[] {
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
  return safeTry(async function* () {
    const { profile, executor } = agent;
    const added = {
      ...profile.env,
      ...(profile.home === null ? {} : { HOME: profile.home }),
      ...plan.env,
      ...(await handAttempt(context, world)),
      ...mailboxVariables(context, world, agent),
      [RUN_MARKER]: world.run.id,
    };
    const { env, secret } = yield* (await programEnvironment(context, world, { added, confinement })).mapErr(
      worktreeFailure,
    );
    const secrets = yield* (await secretsOf(context, world)).mapErr(worktreeFailure);
    const places = executor.places(env);
    const config = places.config.map(({ path }) => path);
    const mailbox = await makeMailbox(context, world, agent);
    const command = await confinement.command({
      argv: plan.argv,
      writable: [...(await makePlaces(places, confinement)), ...mailbox.writable],
      own: places.own,
      readOnly: [...config, ...(profile.home === null ? [] : [profile.home]), ...mailbox.readOnly],
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
      executor: executor.id,
      redactNames: secret,
      summaryFile: request.summaryFile,
      // Nobody else could take the runs of an SQLite.
      leaseFile: context.db.kind === "postgres" ? context.paths.leaseFile : null,
    };
    // The prompt file is always written: an agent that speaks a protocol gets the prompt from it, through any engine.
    const sessions = executor.sessions?.folder(env) ?? null;
    const launched = { ...launch, obeyed: readAgentConfig(config), sessions };
    const dir = context.paths.run(world.run.id);
    await Promise.all([recordLaunch(dir, launched), writeSpec(dir, spec, { prompt: request.prompt })]);
    context.failpoint("before:launch");
    const problem = await orderKeeper(context, world, { env, secrets });
    context.failpoint("after:launch");
    return problem === null ? ok(launched) : err(problem);
  });
}

function worktreeFailure(error: Parameters<typeof gitFailure>[1]): Failure {
  return gitFailure("worktree", error);
}
