/** Chooses the prompt for this start: the whole issue, only the follow-up, or the follow-up with its history. */
import type { MergeToResolve } from "../../../domain/agent/merge-section.ts";
import { buildPrompt, type PastTurn, type PromptTurn } from "../../../domain/agent/prompt.ts";
import type { Executor } from "../../../executors/shared/executor.ts";
import type { ServiceContext } from "../../core/context.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { readAgentEvents } from "./read-stream.ts";

/** The prompt for one start; `resumed` says whether the agent still remembers the earlier runs. */
export async function agentPrompt(
  context: Pick<ServiceContext, "paths" | "newId" | "userEnv" | "selfCommand">,
  world: RunWorld,
  options: {
    readonly resumed: boolean;
    readonly executor: Executor;
    readonly merge: MergeToResolve | null;
  },
): Promise<string> {
  const { task, run } = world;
  const { issue, constraints } = task;
  return buildPrompt({
    issue,
    context: task.context,
    constraints,
    instruction: run.instruction,
    turn: await turnOf(context, world, options),
    merge: options.merge,
  });
}

async function turnOf(
  context: Pick<ServiceContext, "paths" | "newId" | "userEnv" | "selfCommand">,
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
