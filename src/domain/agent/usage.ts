/** Adds up tokens and money: of one run, and of a session that counts on over several runs. */
import type { Usage, UsageTotals } from "./counters.ts";

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: null,
  costEstimated: false,
};

/** The sum of both; a cost that only one side knows counts alone, and the sum is then an estimate. */
export function addUsage(a: Usage, b: Usage): Usage {
  const isPart = costUnknown(a) || costUnknown(b);
  const costUsd = a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd,
    costEstimated: a.costEstimated || b.costEstimated || (costUsd !== null && isPart),
  };
}

function costUnknown({ costUsd, inputTokens, outputTokens }: Usage): boolean {
  return costUsd === null && inputTokens + outputTokens > 0;
}

/**
 * What a run added to the counters of its session. If counters went back, they began anew: then they are the run's
 * own.
 */
export function usageSince(totals: UsageTotals, previous: UsageTotals | null): Usage {
  const tokens = previous !== null && !wentBack(totals, previous) ? previous : null;
  return {
    inputTokens: totals.inputTokens - (tokens?.inputTokens ?? 0),
    cachedInputTokens: totals.cachedInputTokens - (tokens?.cachedInputTokens ?? 0),
    outputTokens: totals.outputTokens - (tokens?.outputTokens ?? 0),
    costUsd: costSince(totals.costUsd, previous?.costUsd ?? null),
    costEstimated: false,
  };
}

/** The same for money alone. */
export function costSince(total: number | null, previous: number | null): number | null {
  if (total === null || previous === null || total < previous) return total;
  return total - previous;
}

function wentBack(totals: UsageTotals, previous: UsageTotals): boolean {
  const counters = ["inputTokens", "cachedInputTokens", "outputTokens"] as const;
  return counters.some((counter) => totals[counter] < previous[counter]);
}
