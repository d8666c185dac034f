/** Describes an entry through an identity provider that has begun: any server of the database may finish it. */
import { z } from "zod";
import { time } from "../entity.ts";

export const signInFlowSchema = z.object({
  /** SHA-256 of the secret in the browser's cookie, in hexadecimal. State, nonce and verifier are made of that secret. */
  hash: z.string(),
  /** The page that they wanted: a path of this server. */
  returnTo: z.string(),
  expiresAt: time,
});
