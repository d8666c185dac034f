/** Reads the usage of a turn over the Agent Client Protocol; each agent reports it in a different place. */
import type { Usage, UsageTotals } from "../../domain/agent/counters.ts";
import type { AgentEvent } from "../../domain/agent/events.ts";
import { estimateCost, type TokenCounts } from "../../domain/agent/prices.ts";
import { costSince } from "../../domain/agent/usage.ts";
import { amount, amountOrNull, isObject, type JsonObject, list, object, textOrNull } from "../shared/json.ts";

/** Cost of the whole session in US dollars, from `usage_update`; null if the agent reports none. */
export type SpentInSession = number | null;

/** The cost in an update, or null if it has none (in dollars). */
export function spentBy(update: JsonObject | null): SpentInSession {
  const cost = object(update?.cost);
  return cost.currency === "USD" ? amountOrNull(cost.amount) : null;
}

/**
 * Tokens and cost of this turn. The agent tells the cost of the whole session, so that of the turn is the difference.
 * Both are null if nothing was reported; the earlier totals then hold.
 */
export function acpUsage(
  answer: JsonObject | null,
  spent: SpentInSession,
  previous: UsageTotals | null,
): { readonly usage: Usage | null; readonly totals: UsageTotals | null } {
  const tokens = answer === null ? null : tokensOf(answer);
  if (tokens === null && spent === null) return { usage: null, totals: null };
  const turn = tokens ?? { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  const reportedCost = costSince(spent, previous?.costUsd ?? null);
  const costUsd = reportedCost ?? estimateCost(modelOf(answer), turn);
  return {
    usage: { ...turn, costUsd, costEstimated: reportedCost === null && costUsd !== null },
    totals: {
      inputTokens: turn.inputTokens + (previous?.inputTokens ?? 0),
      cachedInputTokens: turn.cachedInputTokens + (previous?.cachedInputTokens ?? 0),
      outputTokens: turn.outputTokens + (previous?.outputTokens ?? 0),
      costUsd: spent ?? previous?.costUsd ?? null,
    },
  };
}

/** The same as an event; none if nothing was reported. */
export function usageEvents(...given: Parameters<typeof acpUsage>): readonly AgentEvent[] {
  const { usage } = acpUsage(...given);
  return usage === null ? [] : [{ kind: "usage", usage }];
}

function tokensOf(answer: JsonObject): TokenCounts | null {
  const { usage } = answer;
  if (isObject(usage)) {
    const cached = amount(usage.cachedReadTokens);
    // Our input tokens include those of the cache.
    return {
      inputTokens: amount(usage.inputTokens) + cached + amount(usage.cachedWriteTokens),
      cachedInputTokens: cached,
      outputTokens: amount(usage.outputTokens),
    };
  }
  // The Gemini CLI reports it here.
  const count = object(object(answer._meta).quota).token_count;
  if (!isObject(count)) return null;
  return {
    inputTokens: amount(count.input_tokens),
    cachedInputTokens: 0,
    outputTokens: amount(count.output_tokens),
  };
}

/** The only model that worked, if the agent names it. */
function modelOf(answer: JsonObject | null): string | null {
  const used = list(object(object(answer?._meta).quota).model_usage);
  return used.length === 1 ? textOrNull(object(used[0]).model) : null;
}
