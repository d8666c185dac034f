/** Chooses what the agent is told in this start: the whole issue, only the follow-up, or the follow-up with its history. */
import { buildPrompt, type PastTurn, type PromptTurn } from "../../domain/agent/prompt.ts";
import type { Executor } from "../../executors/executor.ts";
import type { ServiceContext } from "../context.ts";
import { readAgentEvents } from "./read-stream.ts";
import type { RunWorld } from "./step.ts";

/** The prompt for one start; `resumed` says whether the agent remembers the earlier runs by itself. */
export async function agentPrompt(
  context: ServiceContext,
  world: RunWorld,
  options: { readonly resumed: boolean; readonly executor: Executor },
): Promise<string> {
  const { task, run } = world;
  const { issue, constraints } = task;
  return buildPrompt({
    issue,
    context: task.context,
    constraints,
    instruction: run.instruction,
    turn: await turnOf(context, world, options),
  });
}

async function turnOf(
  context: ServiceContext,
  world: RunWorld,
  options: { readonly resumed: boolean; readonly executor: Executor },
): Promise<PromptTurn> {
  const again = (world.run.options.restarts ?? 0) > 0;
  if (options.resumed) return { kind: again ? "broken_off" : "follow_up" };
  const agentRuns = world.earlier.filter((run) => run.kind === "agent" && run.agentStartedAt !== null);
  if (agentRuns.length === 0) return { kind: "first" };
  const turns: PastTurn[] = [];
  for (const run of agentRuns) {
    const { executor } = options;
    const events = await readAgentEvents(context, { run, attempt: world.attempt, executor });
    turns.push({
      instruction: run.instruction,
      actions: events.flatMap((event) => (event.kind === "tool_call" ? [event.title] : [])),
      summary: run.summary ?? "",
    });
  }
  return { kind: "primed", turns };
}
