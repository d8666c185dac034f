/** Describes the endpoint that says what is left for runs: slots, logins, money, room. */
import { z } from "zod";
import type { Endpoints } from "./endpoint.ts";
import { nothing } from "./fields.ts";
import { ROUTES } from "./routes.ts";

const capacityAnswer = z.object({
  /** Runs that work now, and how many may; `limits.parallel` of the data folder's settings. */
  slots: z.object({ used: z.number(), limit: z.number() }),
  /** Logins whose limit of the provider is used up. */
  logins: z.array(z.object({ login: z.string(), resume_at: z.string(), reason: z.string() })),
  /** Known costs of the runs that worked today, in the time zone of the engine. */
  spent_today_usd: z.number(),
  /** The most that one run may cost (`limits.cost_usd`); null if nothing limits it. */
  budget_usd: z.number().nullable(),
  /** Below the floor no run begins. */
  disk: z.object({ free_bytes: z.number(), floor_bytes: z.number(), path: z.string() }),
});

export const CAPACITY_ENDPOINTS = {
  capacity: {
    ...ROUTES.capacity,
    summary: "Says what is left for runs: slots, logins, money, room on the disk.",
    request: nothing,
    answer: capacityAnswer,
    codes: [],
  },
} as const satisfies Endpoints;
