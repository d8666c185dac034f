/** Describes what an agent used, in tokens and money: in one run, and in a session as a whole. */
import { z } from "zod";
import type { Entity } from "../entity.ts";

/** Counters of the whole session, for agents whose streams count cumulatively; stored and passed to the next run. */
export const usageTotalsSchema = z.object({
  /** All tokens that the model read, cached ones included. */
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  outputTokens: z.number(),
  /** US dollars; null if the agent reported no cost, and for a run also if no price is known. */
  costUsd: z.number().nullable(),
});
export type UsageTotals = Entity<typeof usageTotalsSchema>;

/** What one run used. */
export const usageSchema = usageTotalsSchema.extend({
  /** True if the cost comes from our price table, not from the agent. */
  costEstimated: z.boolean(),
});
export type Usage = Entity<typeof usageSchema>;
