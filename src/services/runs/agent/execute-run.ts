/** Lets the agent work: starts it under a keeper or finds it, and sees its turn to the end (seed 003 Phase 2). */
import { ok } from "neverthrow";
import { type Failure, failure } from "../../../domain/run/failure.ts";
import { startsBefore } from "../../../domain/run/waiting.ts";
import { readKeeperState } from "../../../keeper/control.ts";
import { runMarker } from "../../../keeper/files.ts";
import { markTold } from "../../../storage/tables/questions.ts";
import { transact } from "../../../storage/transact.ts";
import { freeSpace } from "../../../utils/files/disk-space.ts";
import { findMarked } from "../../../utils/programs/process-identity.ts";
import { sleep } from "../../../utils/time/waiting.ts";
import { agentOf, type ResolvedAgent } from "../../agents/resolve-agent.ts";
import type { DeskContext } from "../../conversation/question-desk.ts";
import { EngineStopping } from "../../core/context.ts";
import type { AgentContext, JournalContext, Uses } from "../../core/context-parts.ts";
import { storeFacts } from "../../run-core/move-run.ts";
import { failed, note, type RunWorld, type Step, withNotes } from "../../run-core/step.ts";
import { agentConfigNotes } from "./agent-config-files.ts";
import { afterAgentEnded, type EndedAgent } from "./agent-ending.ts";
import { type Launch, readLaunch } from "./launch.ts";
import { launchAgent } from "./launch-agent.ts";
import { unaskedHooks } from "./unasked-hooks.ts";
import { watchAgent } from "./watch-agent.ts";

type TurnContext = AgentContext & JournalContext & DeskContext & Uses<"executors" | "lastActions">;

/** RUNNING (agent): ends when the agent's turn ends, also if it failed. */
export async function executeRun(context: TurnContext, world: RunWorld): Promise<Step | "left"> {
  const agent = agentOf(context, world);
  if (agent.isErr()) return failed("agent_not_found", agent.error.message);
  const resume = sessionToResume(world);
  const started = await startedBefore(context, world);
  if (!started && (world.signal.aborted || world.run.stopRequest !== null)) return { event: "cancel" };
  const launched = started
    ? ok(await readLaunch(context.paths.run(world.run.id)))
    : await launchAgent(context, world, { agent: agent.value, resume });
  if (launched.isErr()) return { event: "fail", failure: launched.error };
  await noteStart(context, world, launched.value);
  const [step, notes] = await Promise.all([
    seeTurnToEnd(context, world, agent.value),
    unaskedHooks(context, world),
  ]);
  if (step === "left") return step;
  const launch = await readLaunch(context.paths.run(world.run.id));
  return withNotes(step, [...notes, ...agentConfigNotes(launch?.obeyed ?? {})]);
}

/**
 * RUNNING (waiting) with a living process: an earlier engine asked a person. Follows it until it ends; the state is
 * read again then.
 */
export async function awaitAnswer(context: TurnContext, world: RunWorld): Promise<Step | "left" | "again"> {
  const agent = agentOf(context, world);
  if (agent.isErr()) return failed("agent_not_found", agent.error.message);
  return (await watchAgent(context, world, agent.value)).parked ? "left" : "again";
}

/** If a session is refused, tries once more without it; the prompt then tells what happened before. */
async function seeTurnToEnd(
  context: TurnContext,
  world: RunWorld,
  agent: ResolvedAgent,
): Promise<Step | "left"> {
  const ended = await watchBegun(context, world, agent);
  if ("code" in ended) return { event: "fail", failure: ended };
  if (ended.parked) return "left";
  const lost = ended.result !== null && !ended.result.ok && ended.result.failure.code === "session_lost";
  if (!lost || ended.launch.resumed === null) return afterAgentEnded(context, world, ended);
  const again = await launchAgent(context, world, { agent, resume: null });
  if (again.isErr()) return { event: "fail", failure: again.error };
  const second = await watchAgent(context, world, agent);
  if (second.parked) return "left";
  const step = await afterAgentEnded(context, world, second);
  const restarted = note(
    "session_restarted",
    "The agent's session was refused; a fresh one was told what happened before.",
    { session: ended.launch.resumed },
  );
  return { ...step, notes: [restarted, ...(step.notes ?? [])] };
}

/**
 * If a keeper was killed before it started the agent, a new one is called once. A keeper cannot report itself if the
 * disk has no room.
 */
async function watchBegun(
  context: TurnContext,
  world: RunWorld,
  agent: ResolvedAgent,
): Promise<EndedAgent | Failure> {
  const ended = await watchAgent(context, world, agent);
  if (ended.began || world.signal.aborted) return ended;
  const { free } = await freeSpace(context.paths.run(world.run.id));
  if (free < KEEPER_ROOM_BYTES) return failure("disk_full", "The agent's keeper had no room on the disk.");
  const again = await launchAgent(context, world, { agent, resume: ended.launch.resumed });
  return again.isErr() ? again.error : watchAgent(context, world, agent);
}

/** The disk space that a keeper needs before its agent prints anything. */
const KEEPER_ROOM_BYTES = 64 * 1024;

/** The session with which this start goes on: the attempt's own, unless it belongs to another directory. */
function sessionToResume(world: RunWorld): string | null {
  const { session, worktree } = world.attempt;
  const restarted = startsBefore(world.run) > 0;
  const hasWorked = restarted || world.earlier.some((run) => run.agentStartedAt !== null);
  return hasWorked && session !== null && session.cwd === worktree ? session.id : null;
}

/** Stores when the agent began, and the session that is known already. Of several starts, the first one counts. */
async function noteStart(
  context: Uses<"db" | "clock">,
  world: RunWorld,
  launch: Launch | null,
): Promise<void> {
  const known = launch?.resumed ?? launch?.sessionId ?? null;
  const { isolation: held, isolationReason: reason } = world.run;
  // Of several starts, the least confined one counts.
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
  if (launch === null || (world.run.options.parks ?? 0) === 0) return;
  const told = { runId: world.run.id, start: launch.number, at: context.clock.iso() };
  await transact(context.db, (trx) => markTold(trx, told));
}

/** Whether the start that is due has, or had, a keeper. */
async function startedBefore(context: Uses<"paths" | "engineStop">, world: RunWorld): Promise<boolean> {
  const dir = context.paths.run(world.run.id);
  const launch = await readLaunch(dir);
  if (launch === null || launch.restarts !== startsBefore(world.run)) return false;
  const deadline = performance.now() + BEGINNING_MS;
  for (;;) {
    // Asked before the files. A keeper without any file is just beginning. Or an engine was killed before it gave
    // the order to that keeper, which then exits.
    const lives = (await findMarked(runMarker(world.run.id))).length > 0;
    const { exit, keeper } = await readKeeperState(dir);
    if (exit !== null || keeper !== null) return true;
    if (!lives) return false;
    if (performance.now() > deadline) return true;
    if (context.engineStop.aborted) throw new EngineStopping();
    await sleep(POLL_MS);
  }
}

/**
 * How long a keeper may run without a file. After that, every other process with the run's mark is stopped as its
 * agent.
 */
const BEGINNING_MS = 30_000;
const POLL_MS = 50;
