/** Describes access tokens for programs: what they may do, and until when. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";
import { SCOPES } from "./scope.ts";

/** The token itself is known to its holder alone: a hash of it is stored. */
export const accessTokenSchema = z.object({
  id: z.string(),
  /** Unique; for people. */
  name: z.string(),
  scope: z.enum(SCOPES),
  /** SHA-256 of the token, in hexadecimal. It has 256 random bits, so that a slow hash would add nothing. */
  hash: z.string(),
  /** Who made it; null if the owner of the machine did. It never does more than they may. */
  personId: z.string().nullable(),
  createdAt: time,
  expiresAt: time,
  /** Exact to an hour; null if it was never used. */
  usedAt: time.nullable(),
});
export type AccessToken = Entity<typeof accessTokenSchema>;

/** What a person asks for. */
export interface NewToken extends Pick<AccessToken, "name" | "scope"> {
  /** How long it opens something. */
  readonly days: number;
}
