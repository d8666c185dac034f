/** Holds a run to what it may cost, as far as its agent tells. */
import type { AgentEvent, AgentResult } from "../../domain/agent/events.ts";
import type { RunNote } from "../../domain/run/run.ts";
import { note, type RunWorld } from "./step.ts";

/** Most that the run may cost in US dollars: the smaller of its own budget and `limits.cost_usd`; null is no limit. */
export function budgetOf(world: RunWorld): number | null {
  const limits = [world.run.options.budgetUsd ?? null, world.configuration.values.limits.cost_usd];
  const set = limits.filter((limit) => limit !== null);
  return set.length === 0 ? null : Math.min(...set);
}

/** What an event says the run has cost by now, its earlier starts included, where that is more than it may; else null. */
export function costOver(world: RunWorld, event: AgentEvent): number | null {
  const budget = budgetOf(world);
  if (budget === null || event.kind !== "usage" || event.usage.costUsd === null) return null;
  const cost = costOfEarlierStarts(world) + event.usage.costUsd;
  return cost > budget ? cost : null;
}

/** A run that waited for its provider was started more than once; its row holds what those starts used. */
function costOfEarlierStarts({ run }: RunWorld): number {
  return run.usage?.costUsd ?? 0;
}

/** What a person who set a budget should know after the turn: that it was passed, or that nobody could watch it. */
export function budgetNotes(world: RunWorld, result: AgentResult): readonly RunNote[] {
  const budget = budgetOf(world);
  if (budget === null) return [];
  const cost = result.usage?.costUsd ?? null;
  if (cost === null)
    return [
      note(
        "budget_not_watched",
        `The agent does not tell what it costs: the budget of $${budget} could not be watched.`,
        { budget },
      ),
    ];
  const total = costOfEarlierStarts(world) + cost;
  if (total <= budget) return [];
  return [
    note("over_budget", `The run cost $${total.toFixed(4)}, more than its budget of $${budget}.`, {
      budget,
      cost,
    }),
  ];
}
