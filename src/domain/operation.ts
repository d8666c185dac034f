/** Describes an operation: one journaled act on git or on a worktree, with what was before and after. */
import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { type Entity, jsonObject, time } from "./entity.ts";

export const operationSchema = z.object({
  id: z.string(),
  /** Stable verb, such as `worktree_add`, `commit`, `push`, `snapshot`, `trash`, `branch_delete`, `ref_restored`. */
  kind: z.string(),
  subject: z.object({ type: z.enum(["repository", "task", "attempt", "run"]), id: z.string() }),
  before: jsonObject.nullable(),
  after: jsonObject.nullable(),
  /** `intended` is written before the act, the others after it. */
  status: z.enum(["intended", "done", "failed", "abandoned"]),
  undoable: z.boolean(),
  /** The git commands that wrote, as lines for a person. Null if none was noted. */
  commands: z.array(z.string()).nullable(),
  /** Who asked for it. Null: Tazuna did it by itself, or an older program did it. */
  actor: actorSchema.nullable(),
  at: time,
  endedAt: time.nullable(),
});
export type Operation = Entity<typeof operationSchema>;

/** A numbered fact: a change, in the order in which it happened. */
export const factSchema = z.object({
  /** Strictly increasing; holes are allowed. */
  seq: z.number().int(),
  at: time,
  /** Such as `run.state`, `run.action`, `run.usage`, `attempt.changed`, `task.created`, `operation.done`. */
  kind: z.string(),
  taskId: z.string().nullable(),
  attemptId: z.string().nullable(),
  runId: z.string().nullable(),
  data: jsonObject,
});
export type Fact = Entity<typeof factSchema>;
