/** Decides what an agent's end means for its run, and stores what it said and used (seed 003 Phase 2). */

import type { Usage } from "../../../domain/agent/counters.ts";
import type { AgentFailure, AgentResult } from "../../../domain/agent/events.ts";
import { addUsage } from "../../../domain/agent/usage.ts";
import { resumeTime } from "../../../domain/run/resume-time.ts";
import type { RunNote } from "../../../domain/run/run.ts";
import type { KeeperExit } from "../../../keeper/files.ts";
import { holdLogin } from "../../../storage/tables/login-holds.ts";
import { transact } from "../../../storage/transact.ts";
import { loginOf } from "../../agents/login-of.ts";
import { agentOf } from "../../agents/resolve-agent.ts";
import type { Uses } from "../../core/context-parts.ts";
import {
  agentFailed,
  failed,
  keeperKilled,
  note,
  type RunWorld,
  type Step,
  withNotes,
} from "../../run-core/step.ts";
import { budgetNotes, budgetOf } from "./budget.ts";
import type { Launch } from "./launch.ts";

/** The step that the agent's end leads to. The edits stay in the worktree in every case. */
export async function afterAgentEnded(
  context: Uses<"db" | "owner" | "executors" | "clock" | "timing">,
  world: RunWorld,
  ended: EndedAgent,
): Promise<Step> {
  return withNotes(await stepAfter(context, world, ended), cutNotes(ended.exit?.cutBytes ?? 0));
}

async function stepAfter(
  context: Uses<"db" | "owner" | "executors" | "clock" | "timing">,
  world: RunWorld,
  ended: EndedAgent,
): Promise<Step> {
  const { exit, result } = ended;
  if (exit === null || result === null) {
    if (world.signal.aborted) return { event: "cancel" };
    return keeperKilled();
  }
  const facts = factsOf(world, result);
  const stoppedByPerson = world.signal.aborted || world.run.stopRequest !== null;
  if (ended.overBudget !== null && exit.reason === "stopped" && !stoppedByPerson)
    return failed("agent_failed", overBudgetText(world, ended.overBudget), {
      ...facts,
      details: { cause: "budget", budget_usd: budgetOf(world) },
    });
  if (exit.reason === "stopped" || world.signal.aborted) return { event: "cancel", ...facts };
  switch (exit.reason) {
    case "timed_out":
    case "stalled":
    case "disk_full":
      return failed(exit.reason, exit.message, facts);
    case "spawn_failed":
      return failed("agent_not_found", exit.message, facts);
    case "not_held":
      return failed("sandbox_unavailable", exit.message, { ...facts, remedy: NOT_HELD });
    case "fenced":
      return afterFence(context, world, { facts, session: ended.session });
    case "exited":
      if (result.ok) return { event: "agent_ended", ...facts, notes: budgetNotes(world, result) };
      return afterFailure(context, world, { failure: result.failure, facts });
  }
}

/** Reports output that the log does not show. */
function cutNotes(cutBytes: number): readonly RunNote[] {
  if (cutBytes === 0) return [];
  const mebibytes = Math.max(1, Math.round(cutBytes / (1024 * 1024)));
  const message = `The agent printed too much to keep: its log lacks ${mebibytes} MiB.`;
  return [note("log_cut", message, { cut_bytes: cutBytes })];
}

const NOT_HELD =
  "`tazuna retry {run}`. A socket that comes and goes all the time can be named in `sandbox.write`, which leaves it open.";

function overBudgetText(world: RunWorld, cost: number): string {
  return `The run had cost $${cost.toFixed(4)} of its budget of $${budgetOf(world)} and was stopped; its edits are kept.`;
}

type Facts = Pick<Step, "run" | "attempt">;

function factsOf(world: RunWorld, result: AgentResult): Facts {
  return {
    run: { summary: result.summary, usage: withEarlierStarts(world.run.usage, result.usage) },
    ...(result.totals === null ? {} : { attempt: { usageTotals: result.totals } }),
  };
}

/** The usage before a wait counts too: the run's row holds the sum of the starts that ended. */
function withEarlierStarts(earlier: Usage | null, start: Usage | null): Usage | null {
  if (earlier === null || start === null) return start ?? earlier;
  return addUsage(earlier, start);
}

/**
 * Its worker has the run again, and nobody took it meanwhile. The agent goes on in its session; a reviewer, which has
 * changed nothing, begins anew.
 */
function afterFence(
  context: Uses<"clock">,
  world: RunWorld,
  { facts, session }: { readonly facts: Facts; readonly session: string | null },
): Step {
  if (session === null && world.run.kind !== "review")
    return failed("interrupted", FENCED_WITHOUT_SESSION, { ...facts, details: { cause: "fenced" } });
  const { options } = world.run;
  return {
    event: "wait",
    ...facts,
    run: {
      ...facts.run,
      resumeAt: context.clock.iso(),
      options: { ...options, fences: (options.fences ?? 0) + 1, fenced: true },
    },
    notes: [note("fenced", FENCED_AND_RESUMED)],
  };
}

const FENCED =
  "The agent was stopped: this machine could not renew its lease in the database, and another one could have taken the run.";
const FENCED_AND_RESUMED = `${FENCED} It goes on where it was.`;
const FENCED_WITHOUT_SESSION = `${FENCED} It has no session with which to go on; its edits are kept.`;

/** A rate limit pauses the run; a passing fault is tried again a few times; everything else ends the run. */
async function afterFailure(
  context: Uses<"db" | "owner" | "executors" | "clock" | "timing">,
  world: RunWorld,
  { failure, facts }: { readonly failure: AgentFailure; readonly facts: Facts },
): Promise<Step> {
  const restarts = world.run.options.restarts ?? 0;
  const pause = context.timing.backoffMs[restarts];
  const isLimit = failure.code === "rate_limited";
  if (pause === undefined || !(isLimit || failure.transient)) return agentFailed(failure, facts);
  const resumeAt = resumeTime(failure, { now: context.clock.now(), pauseMs: pause, restarts });
  if (isLimit) await holdLoginOf(context, world, { resumeAt, reason: failure.message });
  return {
    event: "wait",
    ...facts,
    run: { ...facts.run, resumeAt, options: { ...world.run.options, restarts: restarts + 1 } },
  };
}

/** Runs that are queued for the same login wait too: a limit belongs to the account, not to one run. */
async function holdLoginOf(
  context: Uses<"db" | "owner" | "executors" | "clock">,
  world: RunWorld,
  hold: { readonly resumeAt: string; readonly reason: string },
): Promise<void> {
  const agent = agentOf(context, world);
  if (agent.isErr()) return;
  const login = loginOf(context, agent.value);
  await transact(context.db, (trx) => holdLogin(trx, { login, ...hold, createdAt: context.clock.iso() }));
}

/** The facts after a run's agent has ended. */
export interface EndedAgent {
  readonly launch: Launch;
  /** False if its keeper died before it started the agent. */
  readonly began: boolean;
  /** Null if the keeper died. */
  readonly exit: KeeperExit | null;
  /** Null if the keeper died: then it is not known how the agent ended. */
  readonly result: AgentResult | null;
  /** The session that it told, or was given; null if none is known. */
  readonly session: string | null;
  /** The cost at which it was stopped for its budget, in US dollars; null if it was not. */
  readonly overBudget: number | null;
  /** It was stopped to wait for an answer, and goes on when that comes. */
  readonly parked: boolean;
}
