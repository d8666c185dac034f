/** Estimates what a run will cost from past runs that were like it. */

interface CostEstimate {
  readonly low_usd: number;
  readonly high_usd: number;
  /** How many runs it is made of. */
  readonly runs: number;
}

const FEWEST_RUNS = 5;

/** The range of the middle three fifths; null if the runs are too few to say anything. */
export function estimateCost(costs: readonly number[]): CostEstimate | null {
  if (costs.length < FEWEST_RUNS) return null;
  const sorted = costs.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))] ?? 0;
  return { low_usd: at(0.2), high_usd: at(0.8), runs: costs.length };
}
