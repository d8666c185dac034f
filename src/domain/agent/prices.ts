/** Estimates what a run cost, for agents that count tokens but not money. */
import type { UsageTotals } from "./counters.ts";

/** US dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/**
 * List prices of May 2026 without volume tiers. A single request of a coding agent seldom reaches a tier. The
 * stream reports only the sum of all requests. A model that is not listed has no cost rather than a guess.
 */
const PRICES: Readonly<Record<string, Price>> = {
  "gpt-5.5": { input: 5, cached: 0.5, output: 30 },
  "gpt-5.4": { input: 2.5, cached: 0.25, output: 15 },
  "gpt-5.4-mini": { input: 0.75, cached: 0.075, output: 4.5 },
  "gpt-5.3-codex": { input: 1.75, cached: 0.175, output: 14 },
  "gpt-5.2": { input: 1.75, cached: 0.175, output: 14 },
  "gpt-5.2-codex": { input: 1.75, cached: 0.175, output: 14 },
  "gpt-5.1": { input: 1.25, cached: 0.125, output: 10 },
  "gpt-5.1-codex": { input: 1.25, cached: 0.125, output: 10 },
  "gpt-5.1-codex-max": { input: 1.25, cached: 0.125, output: 10 },
  "gpt-5.1-codex-mini": { input: 0.25, cached: 0.025, output: 2 },
  "gpt-5": { input: 1.25, cached: 0.125, output: 10 },
  "gpt-5-codex": { input: 1.25, cached: 0.125, output: 10 },
  "gpt-5-mini": { input: 0.25, cached: 0.025, output: 2 },
  "gemini-3.1-pro-preview": { input: 2, cached: 0.2, output: 12 },
  "gemini-3-pro-preview": { input: 2, cached: 0.2, output: 12 },
  "gemini-3-flash-preview": { input: 0.5, cached: 0.05, output: 3 },
  "gemini-2.5-pro": { input: 1.25, cached: 0.125, output: 10 },
  "gemini-2.5-flash": { input: 0.3, cached: 0.03, output: 2.5 },
  "gemini-2.5-flash-lite": { input: 0.1, cached: 0.01, output: 0.4 },
};

/** Cached tokens are included in the input, reasoning in the output. */
export type TokenCounts = Pick<UsageTotals, "inputTokens" | "cachedInputTokens" | "outputTokens">;

/** US dollars, or null for a model that the table does not know. */
export function estimateCost(model: string | null, tokens: TokenCounts): number | null {
  if (tokens.inputTokens + tokens.outputTokens === 0) return 0;
  const price = model === null ? undefined : priceOf(model);
  if (price === undefined) return null;
  const cached = Math.min(tokens.cachedInputTokens, tokens.inputTokens);
  const fresh = tokens.inputTokens - cached;
  return (fresh * price.input + cached * price.cached + tokens.outputTokens * price.output) / 1e6;
}

/** A snapshot of a model, named by its date or as a preview, costs the same as the model. */
function priceOf(model: string): Price | undefined {
  const name = model.replace(/^models\//, "");
  const family = name.replace(/-(?:latest|preview(?:-\d\d-\d{2,4})?|\d{4}-\d\d-\d\d|\d{3})$/, "");
  const known = [name, family].find((each) => Object.hasOwn(PRICES, each));
  return known === undefined ? undefined : PRICES[known];
}
