/** Describes what one worker asks another: a call of its API about files that lie there (ADR 0087). */
import { z } from "zod";
import { knownPersonSchema } from "../access/person.ts";
import { SCOPES } from "../access/scope.ts";
import { actorSchema } from "../actor.ts";
import { type Entity, time } from "../entity.ts";

/**
 * What the id of a call names, and so who holds what the call needs. `attempt` and `run`: the attempt's worktree. `log`: a
 * run, whose log its driver has. `named_repository`: the field `repository` of the call, in place of an id. The three that
 * end so: the clone that the thing belongs to.
 */
export type HeldThing =
  | "attempt"
  | "run"
  | "log"
  | "operation"
  | "trashed"
  | "repository"
  | "named_repository"
  | "task_repository"
  | "attempt_repository"
  | "run_repository";

const callSchema = z.object({
  method: z.string(),
  /** With the query string. */
  path: z.string(),
  /** JSON; null if the call has none. */
  body: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  caller: z.enum(["program", "browser"]),
  /** Who asks, as the asking worker found out; null if an older one did not say. */
  actor: actorSchema.nullable().default(null),
  /** What limits the caller; null if it may do everything. */
  access: z
    .object({
      id: z.string(),
      name: z.string(),
      scope: z.enum(SCOPES),
      expiresAt: time,
      /** Who asks; null if it is no person, or one of an older program. */
      person: knownPersonSchema.nullable().default(null),
    })
    .nullable(),
});

const answerSchema = z.object({
  status: z.number().int(),
  /** Its media type. */
  type: z.string(),
  /** In Base64: a picture or a patch is no text. */
  body: z.string(),
});

export const askedSchema = z.object({
  id: z.string(),
  /** Who holds the files. */
  workerId: z.string(),
  askedBy: z.string(),
  call: callSchema,
  /** By the database's clock, as the next two. */
  createdAt: time,
  /** When its worker began to answer. */
  takenAt: time.nullable(),
  answeredAt: time.nullable(),
  answer: answerSchema.nullable(),
});
export type Asked = Entity<typeof askedSchema>;
export type AskedCall = Asked["call"];
export type AskedAnswer = Entity<typeof answerSchema>;
