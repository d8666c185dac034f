/** Says which turn a start is for its agent: the first, a later one, or one after a lost session (seed 003 Phase 4). */
import type { PastTurn, PromptTurn } from "../../../domain/agent/prompt.ts";
import type { Executor } from "../../../executors/shared/executor.ts";
import type { ServiceContext } from "../../core/context.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { readAgentEvents } from "./read-stream.ts";

/** `resumed` says whether the agent still remembers the earlier runs. */
export async function promptTurn(
  context: Pick<ServiceContext, "paths" | "newId" | "userEnv" | "selfCommand">,
  world: RunWorld,
  { resumed, executor }: { readonly resumed: boolean; readonly executor: Executor },
): Promise<PromptTurn> {
  const again = (world.run.options.restarts ?? 0) > 0;
  if (resumed) return { kind: again ? "broken_off" : "follow_up" };
  const agentRuns = world.earlier.filter((run) => run.kind === "agent" && run.agentStartedAt !== null);
  if (agentRuns.length === 0) return { kind: "first" };
  const turns: PastTurn[] = [];
  for (const run of agentRuns) {
    const events = await readAgentEvents(context, { run, attempt: world.attempt, executor });
    turns.push({
      instruction: run.instruction,
      actions: events.flatMap((event) => (event.kind === "tool_call" ? [event.title] : [])),
      summary: run.summary ?? "",
    });
  }
  return { kind: "primed", turns };
}
