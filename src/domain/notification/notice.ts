/** Describes which worker tells a webhook of a fact, so that several engines on one database tell it once. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

export const noticeSchema = z.object({
  /** SHA-256 of the webhook's address, in hexadecimal: the address itself may hold a key. */
  hook: z.string(),
  /** The number of the fact. */
  seq: z.number().int(),
  /** Who tells it, or did. */
  workerId: z.string(),
  /** From then on another worker may tell it, by the database's clock. */
  until: time,
  /** When it was told, or given up, by the database's clock; null before. */
  overAt: time.nullable(),
});
export type Notice = Entity<typeof noticeSchema>;
