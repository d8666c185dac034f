/** Writes and reads what a working agent has used so far, as the data of a fact. */
import type { Usage } from "./counters.ts";

/** The kind of these facts. */
export const USAGE = "run.usage";

export function usageData(usage: Usage) {
  return {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: usage.costUsd,
    cost_estimated: usage.costEstimated,
  };
}

export function readUsage(data: Readonly<Record<string, unknown>>): Usage {
  return {
    inputTokens: Number(data.input_tokens),
    cachedInputTokens: Number(data.cached_input_tokens),
    outputTokens: Number(data.output_tokens),
    costUsd: typeof data.cost_usd === "number" ? data.cost_usd : null,
    costEstimated: data.cost_estimated === true,
  };
}
