/** Describes the two codes that sign one browser in: of a link, and to be typed. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

export const signInCodeSchema = z.object({
  /** SHA-256 of the code of the link, in hexadecimal. */
  linked: z.string(),
  /** The same of the code that is typed. Either uses both up. */
  typed: z.string(),
  /** Who made it, and whose the browser will be; null if the owner of the machine did. */
  personId: z.string().nullable(),
  expiresAt: time,
});
export type SignInCode = Entity<typeof signInCodeSchema>;
