/** Keeps a run within its budget, as far as its agent reports its cost. */
import type { AgentEvent, AgentResult } from "../../../domain/agent/events.ts";
import type { RunNote } from "../../../domain/run/run.ts";
import { note, type RunWorld } from "../../run-core/step.ts";

/**
 * The most that the run may cost in US dollars: its own budget or `limits.cost_usd`, if that is smaller. Null means
 * no limit.
 */
export function budgetOf(world: RunWorld): number | null {
  const limits = [world.run.options.budgetUsd ?? null, world.configuration.values.limits.cost_usd];
  const set = limits.filter((limit) => limit !== null);
  return set.length === 0 ? null : Math.min(...set);
}

/** The run's cost after an event, with its earlier starts, if it is over the budget; else null. */
export function costOver(world: RunWorld, event: AgentEvent): number | null {
  const budget = budgetOf(world);
  if (budget === null || event.kind !== "usage" || event.usage.costUsd === null) return null;
  const cost = costOfEarlierStarts(world) + event.usage.costUsd;
  return cost > budget ? cost : null;
}

/** A run that waited for its provider was started more than once; its row holds the usage of those starts. */
function costOfEarlierStarts({ run }: RunWorld): number {
  return run.usage?.costUsd ?? 0;
}

/** Notes after the turn, if a budget was set: the run passed it, or its cost could not be watched. */
export function budgetNotes(world: RunWorld, result: AgentResult): readonly RunNote[] {
  const budget = budgetOf(world);
  if (budget === null) return [];
  const cost = result.usage?.costUsd ?? null;
  if (cost === null) {
    const message = `The agent does not tell what it costs: the budget of $${budget} could not be watched.`;
    return [note("budget_not_watched", message, { budget })];
  }
  const total = costOfEarlierStarts(world) + cost;
  if (total <= budget) return [];
  const message = `The run cost $${total.toFixed(4)}, more than its budget of $${budget}.`;
  return [note("over_budget", message, { budget, cost })];
}
