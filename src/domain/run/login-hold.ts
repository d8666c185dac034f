/** Describes a hold: a rate limit that keeps the runs of one agent login in the queue. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

export const loginHoldSchema = z.object({
  /** The executor's name of the login; runs with the same name share its limits. */
  login: z.string(),
  resumeAt: time,
  reason: z.string(),
  /** The time of its last change. */
  createdAt: time,
});
export type LoginHold = Entity<typeof loginHoldSchema>;
