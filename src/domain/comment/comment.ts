/** Describes a comment on a line of an attempt's patch: by a reviewing agent, or a draft of a person. */
import { z } from "zod";
import { actorSchema } from "../actor.ts";
import { type Entity, time } from "../entity.ts";

/** The most urgent first. */
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;

export const commentSchema = z.object({
  id: z.string(),
  attemptId: z.string(),
  /** The review that made it; null for a person's. */
  runId: z.string().nullable(),
  authorKind: z.enum(["agent", "person"]),
  /** The agent's id; null for a person. */
  author: z.string().nullable(),
  /** Which person; null for an agent's, and for one of an older program. */
  actor: actorSchema.nullable(),
  /** Below the repository's root. */
  path: z.string(),
  /** Counts from 1 on its side; null for a comment on the whole file. */
  line: z.number().int().nullable(),
  /** The last line of several; null for one line. */
  endLine: z.number().int().nullable(),
  /** `new` is the file as the attempt left it. */
  side: z.enum(["old", "new"]),
  /** The text of its lines when the comment was made. */
  quoted: z.string().nullable(),
  /** What the attempt had come to then, a commit or a tree; null if that is not known. */
  tree: z.string().nullable(),
  /** Null for a person's. */
  severity: z.enum(SEVERITIES).nullable(),
  body: z.string(),
  /** `sent`: it was part of a follow-up. */
  state: z.enum(["draft", "open", "sent", "resolved"]),
  /** The follow-up that it was last sent with. */
  sentWith: z.string().nullable(),
  at: time,
});
export type Comment = Entity<typeof commentSchema>;

/** How a comment that was sent before stood when it was sent again. */
export const sentBeforeSchema = commentSchema.pick({
  id: true,
  path: true,
  line: true,
  endLine: true,
  tree: true,
  sentWith: true,
});
export type SentBefore = Entity<typeof sentBeforeSchema>;

/** A comment at its place in the patch as it is now. */
export const placedCommentSchema = commentSchema.extend({
  /** Its lines are not there any more: the place is that of the time when they were. */
  outdated: z.boolean(),
  /** The follow-up that it was sent with, if that changed the file at its place. */
  addressedIn: z.string().nullable(),
});
export type PlacedComment = Entity<typeof placedCommentSchema>;
