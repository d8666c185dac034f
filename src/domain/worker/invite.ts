/** Describes an invitation: with it one worker joins, once and soon. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

/** The secret itself is known to its holder alone: a hash of it is stored. */
export const inviteSchema = z.object({
  /** SHA-256 of the secret, in hexadecimal. It has 256 random bits, so that a slow hash would add nothing. */
  hash: z.string(),
  /** By the database's clock, as the next ones. */
  createdAt: time,
  expiresAt: time,
  /** Null until a worker has joined by it. */
  usedAt: time.nullable(),
  /** The id of that worker. */
  usedBy: z.string().nullable(),
});
export type Invite = Entity<typeof inviteSchema>;

/** How long an invitation opens something. */
export const INVITE_MINUTES = 15;

/** Grows if a worker and a server of two versions would no longer understand each other at the join. */
export const JOIN_PROTOCOL = 1;
