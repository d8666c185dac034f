/** Decides what an agent's end means for its run, and stores what the agent said and used. */
import type { AgentFailure, AgentResult, Usage } from "../../domain/agent/events.ts";
import { addUsage } from "../../domain/agent/usage.ts";
import { type Failure, failure } from "../../domain/run/failure.ts";
import { resumeTime } from "../../domain/run/resume-time.ts";
import { holdLogin } from "../../storage/login-holds.ts";
import { transact } from "../../storage/transact.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import type { ServiceContext } from "../context.ts";
import { budgetNotes, budgetOf } from "./budget.ts";
import type { EndedAgent } from "./ended-agent.ts";
import { agentFailed, failed, type RunWorld, type Step } from "./step.ts";

/** The step that the agent's end leads to. The edits stay in the worktree in every case. */
export async function afterAgentEnded(
  context: ServiceContext,
  world: RunWorld,
  ended: EndedAgent,
): Promise<Step> {
  const { exit, result } = ended;
  if (exit === null || result === null) {
    if (world.signal.aborted) return { event: "cancel" };
    return failed(
      "interrupted",
      "The process that kept the agent was killed; what was left of the agent was stopped, its edits are kept.",
    );
  }
  const facts = factsOf(world, result);
  const stoppedByPerson = world.signal.aborted || world.run.stopRequest !== null;
  if (ended.overBudget !== null && exit.reason === "stopped" && !stoppedByPerson)
    return failed("agent_failed", overBudgetText(world, ended.overBudget), facts);
  if (exit.reason === "stopped" || world.signal.aborted) return { event: "cancel", ...facts };
  switch (exit.reason) {
    case "timed_out":
    case "stalled":
    case "disk_full":
      return failed(exit.reason, exit.message, facts);
    case "too_much_output":
      return failed("agent_failed", exit.message, facts);
    case "spawn_failed":
      return failed("agent_not_found", exit.message, facts);
    case "not_held":
      return { event: "fail", failure: notHeld(exit.message), ...facts };
    case "exited":
      if (result.ok) return { event: "agent_ended", ...facts, notes: budgetNotes(world, result) };
      return afterFailure(context, world, { of: result.failure, facts });
  }
}

function notHeld(message: string): Failure {
  const remedy =
    "`tazuna retry RUN`. A socket that comes and goes all the time can be named in `sandbox.write`, which leaves it open.";
  return failure("sandbox_unavailable", message, { remedy });
}

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

/** What the run used before it waited counts too: its row holds the sum of the starts that ended. */
function withEarlierStarts(earlier: Usage | null, start: Usage | null): Usage | null {
  if (earlier === null || start === null) return start ?? earlier;
  return addUsage(earlier, start);
}

/** A rate limit is a pause; a passing fault is tried again a few times; everything else ends the run. */
async function afterFailure(
  context: ServiceContext,
  world: RunWorld,
  { of, facts }: { readonly of: AgentFailure; readonly facts: Facts },
): Promise<Step> {
  const restarts = world.run.options.restarts ?? 0;
  const pause = context.timing.backoffMs[restarts];
  const isLimit = of.code === "rate_limited";
  if (pause === undefined || !(isLimit || of.transient)) return agentFailed(of, facts);
  const resumeAt = resumeTime(of, { now: context.clock.now(), pauseMs: pause, restarts });
  if (isLimit) await holdLoginOf(context, world, { resumeAt, reason: of.message });
  return {
    event: "wait",
    ...facts,
    run: { ...facts.run, resumeAt, options: { ...world.run.options, restarts: restarts + 1 } },
  };
}

/** Runs that are queued for the same login wait too: a limit belongs to the account, not to one run. */
async function holdLoginOf(
  context: ServiceContext,
  world: RunWorld,
  hold: { readonly resumeAt: string; readonly reason: string },
): Promise<void> {
  const agent = resolveAgent(
    { id: world.attempt.agent, model: world.attempt.model },
    world.configuration.values,
    context.executors,
  );
  if (agent.isErr()) return;
  const login = agent.value.executor.login(agent.value.profile);
  await transact(context.db, (trx) => holdLogin(trx, { login, ...hold, createdAt: context.clock.iso() }));
}
