/** Lets the agent work: starts it under a keeper (or finds the one that was started), follows it, and reads how it ended. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Failure, failure } from "../../domain/run/failure.ts";
import {
  type KeeperEnding,
  readKeeperState,
  requestStop,
  stopOrphanedAgent,
  waitForExit,
} from "../../keeper/control.ts";
import { RUN_MARKER } from "../../keeper/files.ts";
import { freeSpace } from "../../utils/disk-space.ts";
import { findMarked } from "../../utils/process-identity.ts";
import { removeTree } from "../../utils/remove-tree.ts";
import { sleep } from "../../utils/waiting.ts";
import { type ResolvedAgent, resolveAgent } from "../agents/resolve-agent.ts";
import { secretsOf } from "../confinement/secrets-of.ts";
import type { ServiceContext } from "../context.ts";
import { EngineLeaving } from "../engine-leaving.ts";
import { warmKnownCredentials } from "../gate/known-credentials.ts";
import { afterAgentEnded } from "./agent-ending.ts";
import type { EndedAgent } from "./ended-agent.ts";
import { followAgent } from "./follow-agent.ts";
import { gitFailure } from "./git-failure.ts";
import { readLaunch } from "./launch.ts";
import { launchAgent } from "./launch-agent.ts";
import { launchRequest } from "./launch-request.ts";
import { storeFacts } from "./move-run.ts";
import { obeyedNotes } from "./obeyed-files.ts";
import { stderrTail } from "./read-stream.ts";
import { failed, note, type RunWorld, type Step } from "./step.ts";
import { takeSummary } from "./take-summary.ts";
import { unaskedHooks } from "./unasked-hooks.ts";

/** RUNNING (agent): ends with the agent's turn, however it went. */
export async function executeRun(context: ServiceContext, world: RunWorld): Promise<Step> {
  const agent = resolveAgent(
    { id: world.attempt.agent, model: world.attempt.model },
    world.configuration.values,
    context.executors,
  );
  if (agent.isErr()) return failed("agent_not_found", agent.error.message);
  const resume = sessionToResume(world);
  const started = await startedBefore(context, world);
  if (!started && (world.signal.aborted || world.run.stopRequest !== null)) return { event: "cancel" };
  const problem = started ? null : await launchAgent(context, world, { agent: agent.value, resume });
  if (problem !== null) return { event: "fail", failure: problem };
  await noteStart(context, world);
  const [step, notes] = await Promise.all([
    seeTurnToEnd(context, world, agent.value),
    unaskedHooks(context, world),
  ]);
  const launch = await readLaunch(context.paths.run(world.run.id));
  const all = [...notes, ...obeyedNotes(launch?.obeyed ?? {})];
  return all.length === 0 ? step : { ...step, notes: [...(step.notes ?? []), ...all] };
}

/** A refused session is tried once more without it, told what happened before. */
async function seeTurnToEnd(context: ServiceContext, world: RunWorld, agent: ResolvedAgent): Promise<Step> {
  const ended = await watchBegun(context, world, agent);
  if ("code" in ended) return { event: "fail", failure: ended };
  const lost = ended.result !== null && !ended.result.ok && ended.result.failure.code === "session_lost";
  if (!lost || ended.launch.resumed === null) return afterAgentEnded(context, world, ended);
  const again = await launchAgent(context, world, { agent, resume: null });
  if (again !== null) return { event: "fail", failure: again };
  const fresh = await watch(context, world, agent);
  if ("code" in fresh) return { event: "fail", failure: fresh };
  const step = await afterAgentEnded(context, world, fresh);
  const restarted = note(
    "session_restarted",
    "The agent's session was refused; a fresh one was told what happened before.",
    {
      session: ended.launch.resumed,
    },
  );
  return { ...step, notes: [restarted, ...(step.notes ?? [])] };
}

/** A keeper that was killed before it started the agent is called once more; one that has no room to say who it is cannot. */
async function watchBegun(
  context: ServiceContext,
  world: RunWorld,
  agent: ResolvedAgent,
): Promise<EndedAgent | Failure> {
  const ended = await watch(context, world, agent);
  if ("code" in ended || ended.began || world.signal.aborted) return ended;
  const { free } = await freeSpace(context.paths.run(world.run.id));
  if (free < KEEPER_ROOM_BYTES) return failure("disk_full", "The agent's keeper had no room on the disk.");
  const problem = await launchAgent(context, world, { agent, resume: ended.launch.resumed });
  return problem ?? watch(context, world, agent);
}

/** What a keeper takes before anything is heard of its agent. */
const KEEPER_ROOM_BYTES = 64 * 1024;

/** The session this start goes on with: the attempt's own, unless it belongs to another directory. */
function sessionToResume(world: RunWorld): string | null {
  const { session, worktree } = world.attempt;
  const restarted = (world.run.options.restarts ?? 0) > 0;
  const hasWorked = restarted || world.earlier.some((run) => run.agentStartedAt !== null);
  return hasWorked && session !== null && session.cwd === worktree ? session.id : null;
}

/** When the agent began, and the session that is known already; the first start of several counts. */
async function noteStart(context: ServiceContext, world: RunWorld): Promise<void> {
  const launch = await readLaunch(context.paths.run(world.run.id));
  const known = launch?.resumed ?? launch?.sessionId ?? null;
  const { isolation: held, isolationReason: reason } = world.run;
  // Of several starts the one that was held least counts.
  const counts =
    held === null || held === "sandbox"
      ? { isolation: launch?.isolation ?? "none", isolationReason: launch?.isolationReason ?? null }
      : { isolation: held, isolationReason: reason };
  await storeFacts(context, world, {
    run: {
      agentStartedAt: world.run.agentStartedAt ?? context.clock.iso(),
      ...counts,
    },
    ...(known === null ? {} : { attempt: { session: { id: known, cwd: world.attempt.worktree } } }),
  });
}

/** Whether the start that is due has a keeper or had one. */
async function startedBefore(context: ServiceContext, world: RunWorld): Promise<boolean> {
  const dir = context.paths.run(world.run.id);
  const launch = await readLaunch(dir);
  if (launch === null || launch.restarts !== (world.run.options.restarts ?? 0)) return false;
  const deadline = performance.now() + BEGINNING_MS;
  for (;;) {
    // Asked before the files: a keeper that is there without any is just beginning, or an engine was killed before it
    // had given its order, and it goes.
    const lives = (await findMarked({ name: RUN_MARKER, value: world.run.id })).length > 0;
    const { exit, keeper } = await readKeeperState(dir);
    if (exit !== null || keeper !== null) return true;
    if (!lives) return false;
    if (performance.now() > deadline) return true;
    if (context.leaving.aborted) throw new EngineLeaving();
    await sleep(LOOK_MS);
  }
}

/** How long a keeper may be there without a file; whatever else carries the run's mark is stopped as its agent then. */
const BEGINNING_MS = 30_000;
const LOOK_MS = 50;

async function watch(
  context: ServiceContext,
  world: RunWorld,
  agent: ResolvedAgent,
): Promise<EndedAgent | Failure> {
  const dir = context.paths.run(world.run.id);
  const launch = await readLaunch(dir);
  if (launch === null) throw new Error(`run ${world.run.id} has no record of its agent's start`);
  const request = launchRequest(context, world, {
    agent,
    resume: launch.resumed,
    prompt: await promptOf(dir),
  });
  const parser = agent.executor.parser({ request, previous: world.attempt.usageTotals });
  const over = new AbortController();
  const following = followAgent(context, world, {
    parser,
    offset: launch.outOffset,
    ended: over.signal,
    speaks: parser.replies !== undefined,
  });
  // Awaited below, after the agent's end; until then nobody would hear of its failure.
  following.catch(() => undefined);
  // While the agent works nobody waits for it; what failed to load fails again, and is told, when the gate needs it.
  warmKnownCredentials().catch(() => undefined);
  const ending = await waitWithStop(context, world, dir).catch(async (error: unknown) => {
    over.abort();
    await following.catch(() => undefined);
    throw error;
  });
  if (ending.kind === "keeper_died") await stopOrphanedAgent(dir, { run: world.run.id });
  over.abort();
  const { overBudget } = await following;
  const secrets = await secretsOf(context, world);
  if (secrets.isErr()) {
    // What it holds may be one.
    await removeTree(dirname(request.summaryFile));
    return gitFailure("stage", secrets.error);
  }
  const summaryFile = await takeSummary(dir, request.summaryFile, secrets.value);
  const began = ending.kind !== "never_began";
  if (ending.kind !== "exited") return { launch, began, exit: null, result: null, overBudget };
  const result = parser.finish({
    code: ending.exit.code,
    signal: ending.exit.signal,
    endedAt: ending.exit.endedAt,
    stderr: await stderrTail(context, world.run.id),
    summaryFile,
  });
  return { launch, began, exit: ending.exit, result, overBudget };
}

/** Waits for the end; a person's wish to stop is passed to the keeper, which then ends by itself. */
async function waitWithStop(context: ServiceContext, world: RunWorld, dir: string): Promise<KeeperEnding> {
  const stop = () => {
    requestStop(dir, { graceMs: context.timing.graceMs }).catch((error) =>
      context.reportFault(`stopping run ${world.run.id}`, error),
    );
  };
  world.signal.addEventListener("abort", stop);
  if (world.signal.aborted || world.run.stopRequest !== null) stop();
  try {
    const ending = await waitForExit(dir, {
      signal: context.leaving,
      lives: async () => (await findMarked({ name: RUN_MARKER, value: world.run.id })).length > 0,
    });
    if (ending.kind === "canceled") throw new EngineLeaving();
    return ending;
  } finally {
    world.signal.removeEventListener("abort", stop);
  }
}

async function promptOf(dir: string): Promise<string> {
  return readFile(`${dir}/prompt.txt`, "utf8").catch(() => "");
}
