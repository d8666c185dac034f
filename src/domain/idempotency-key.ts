/** Describes an idempotency key: the request that claimed it, what was created under it, and the answer. */
import { z } from "zod";
import { time } from "./entity.ts";

export const idempotencyKeySchema = z.object({
  key: z.string(),
  /** Tells the request that claimed the key from another one. */
  bodyHash: z.string(),
  /** Any JSON value; null while the request has no answer. */
  answer: z.unknown().nullable(),
  /** The id of the task or run that was created under the key. It is written in the transaction that created it. */
  createdId: z.string().nullable(),
  createdAt: time,
});
