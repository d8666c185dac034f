/** Describes what somebody did to a team: to its people, tokens, workers, settings or repositories. */
import { z } from "zod";
import { actorSchema } from "../actor.ts";
import { type Entity, time } from "../entity.ts";

/** What they did. A reader may meet others, of a newer program. */
export type TeamActKind =
  | "person_entered"
  | "role_given"
  | "person_removed"
  | "token_made"
  | "token_removed"
  | "browser_signed_out"
  | "worker_invited"
  | "worker_joined"
  | "worker_drained"
  | "worker_resumed"
  | "worker_removed"
  | "setting_changed"
  | "scripts_trusted"
  | "repository_added"
  | "repository_moved"
  | "repository_removed";

/** A row is written together with the act, and never changed. It holds no secret: no token, no value of a setting. */
export const teamActSchema = z.object({
  id: z.string(),
  kind: z.string(),
  /** Of the person, the token, the browser, the worker or the repository; null if it has none. */
  subjectId: z.string().nullable(),
  /** What people call it: an e-mail address, a name, the key of a setting. Empty if it has no name. */
  name: z.string(),
  /** The role that was given, what a token may do, or the repository whose setting was changed. */
  detail: z.string().nullable(),
  /** Null if nobody is known: whoever joins by an invitation has not signed in. */
  actor: actorSchema.nullable(),
  at: time,
});
export type TeamAct = Entity<typeof teamActSchema>;
