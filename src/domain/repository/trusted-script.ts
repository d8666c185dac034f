/** Describes a script of a repository that the user has trusted. */
import { z } from "zod";
import { actorSchema } from "../actor.ts";
import { type Entity, time } from "../entity.ts";

export const trustedScriptSchema = z.object({
  repositoryId: z.string(),
  /** Of the content; another content is another script. */
  hash: z.string(),
  /** The text that the user saw. */
  text: z.string(),
  trustedAt: time,
  /** Who trusted it; null if an older program stored it. */
  actor: actorSchema.nullable(),
});
export type TrustedScript = Entity<typeof trustedScriptSchema>;

/** A script that a repository names, as it is now. */
export const scriptSchema = trustedScriptSchema.pick({ hash: true, text: true }).extend({
  trusted: z.boolean(),
  /** Who trusted it, if that is known. */
  by: actorSchema.exactOptional(),
  /** The text that was trusted under its name, if this one took its place. */
  before: z.string().exactOptional(),
});
export type Script = Entity<typeof scriptSchema>;
