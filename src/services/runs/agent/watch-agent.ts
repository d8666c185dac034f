/** Watches a started agent until its turn ends, and reads what the turn came to. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { UsageTotals } from "../../../domain/agent/counters.ts";
import type { AgentResult } from "../../../domain/agent/events.ts";
import { usageSince } from "../../../domain/agent/usage.ts";
import { countedBefore } from "../../../executors/shared/launch.ts";
import { type KeeperEnding, requestStop, stopOrphanedAgent, waitForExit } from "../../../keeper/control.ts";
import { KEEPER_FILES, runMarker } from "../../../keeper/files.ts";
import { readIfThere } from "../../../utils/files/is-there.ts";
import { removeTree } from "../../../utils/files/remove-tree.ts";
import { findMarked } from "../../../utils/programs/process-identity.ts";
import type { ResolvedAgent } from "../../agents/resolve-agent.ts";
import { type DeskContext, openDesk } from "../../conversation/question-desk.ts";
import { EngineStopping } from "../../core/context.ts";
import type { JournalContext, Uses } from "../../core/context-parts.ts";
import { writeOwnLog } from "../../run-core/own-log.ts";
import type { RunWorld } from "../../run-core/step.ts";
import type { EndedAgent } from "./agent-ending.ts";
import { followAgent } from "./follow-agent.ts";
import { followMailbox } from "./follow-mailbox.ts";
import { readLaunch } from "./launch.ts";
import { launchRequest } from "./launch-request.ts";
import { createPriceUsage, sessionTotals } from "./price-usage.ts";
import { stderrTail } from "./read-stream.ts";

type WatchContext = JournalContext & DeskContext & Uses<"userEnv" | "selfCommand" | "lastActions">;

/** Answers once no process of the agent is left, also if its keeper died. */
export async function watchAgent(
  context: WatchContext,
  world: RunWorld,
  agent: ResolvedAgent,
): Promise<EndedAgent> {
  const dir = context.paths.run(world.run.id);
  const launch = await readLaunch(dir);
  if (launch === null) throw new Error(`run ${world.run.id} has no record of its agent's start`);
  const request = launchRequest(context, world, {
    agent,
    resume: launch.resumed,
    prompt: await promptOf(dir),
    approvals: launch.approvals,
  });
  const parser = agent.executor.parser({ request, previous: world.attempt.usageTotals });
  const over = new AbortController();
  const price = createPriceUsage(agent.executor, launch);
  const desk = openDesk(context, world, launch.number);
  const following = followAgent(context, world, {
    parser,
    offset: launch.outOffset,
    ended: over.signal,
    speaks: parser.replies !== undefined,
    price,
    desk,
  });
  // Awaited below, after the agent's end. Until then a rejection would have no handler.
  following.catch(() => undefined);
  const questions = followMailbox(context, world, { launch, desk, ended: over.signal });
  const ending = await waitWithStop(context, world, dir).catch(async (error: unknown) => {
    over.abort();
    await Promise.all([following.catch(() => undefined), questions]);
    desk.leave();
    throw error;
  });
  if (ending.kind === "keeper_died") await stopOrphanedAgent(dir, { run: world.run.id });
  over.abort();
  await questions;
  const { overBudget, session } = await following;
  // It may contain secrets. The keeper has stored what the agent wrote as its summary.
  await removeTree(dirname(request.summaryFile));
  const wasAsked = world.signal.aborted || world.run.stopRequest !== null || overBudget !== null;
  const parked = (await desk.close((await wasStopped(context, world, ending)) && !wasAsked)) === "parked";
  const began = ending.kind !== "never_began";
  const known = session ?? launch.resumed ?? launch.sessionId;
  const ended = { launch, began, overBudget, parked, session: known };
  if (ending.kind !== "exited") return { ...ended, exit: null, result: null };
  const parsed = parser.finish({
    code: ending.exit.code,
    signal: ending.exit.signal,
    endedAt: ending.exit.endedAt,
    stderr: await stderrTail(context, world.run.id),
    summaryFile: await readIfThere(join(dir, KEEPER_FILES.summary)),
  });
  const totals = parsed.usage === null ? await sessionTotals([agent.executor, launch], session) : null;
  const before = countedBefore({ request, previous: world.attempt.usageTotals });
  const counted = totals === null ? parsed : withTotals(parsed, { totals, before });
  const usage = counted.usage && (await price(counted.usage, session));
  return { ...ended, exit: ending.exit, result: { ...counted, usage } };
}

/** By its keeper, on request or since the lease had run out. The log says the latter; a request is told elsewhere. */
async function wasStopped(
  context: Uses<"paths" | "clock" | "tokens">,
  { run }: RunWorld,
  ending: KeeperEnding,
): Promise<boolean> {
  if (ending.kind !== "exited") return false;
  const { reason, message } = ending.exit;
  if (reason === "fenced") await writeOwnLog(context, run.id, { step: "agent", text: message });
  return reason === "stopped" || reason === "fenced";
}

/** A stream that was cut off does not report the turn's usage. The next turn would be billed for it. */
function withTotals(
  parsed: AgentResult,
  { totals, before }: { readonly totals: UsageTotals; readonly before: UsageTotals | null },
): AgentResult {
  return { ...parsed, totals, usage: usageSince(totals, before) };
}

/** Waits for the end. A person's request to stop is passed to the keeper, which then ends by itself. */
async function waitWithStop(
  context: Uses<"timing" | "engineStop" | "reportFault">,
  world: RunWorld,
  dir: string,
): Promise<KeeperEnding> {
  const stop = () => {
    requestStop(dir, { graceMs: context.timing.graceMs }).catch((error) =>
      context.reportFault(`stopping run ${world.run.id}`, error),
    );
  };
  world.signal.addEventListener("abort", stop);
  if (world.signal.aborted || world.run.stopRequest !== null) stop();
  try {
    const ending = await waitForExit(dir, {
      signal: context.engineStop,
      lives: async () => (await findMarked(runMarker(world.run.id))).length > 0,
    });
    if (ending.kind === "canceled") throw new EngineStopping();
    return ending;
  } finally {
    world.signal.removeEventListener("abort", stop);
  }
}

async function promptOf(dir: string): Promise<string> {
  return readFile(join(dir, KEEPER_FILES.prompt), "utf8").catch(() => "");
}
