/** Describes a comment on a line of an attempt's patch: by a reviewing agent, or a draft of a person. */
import { z } from "zod";
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
  /** Below the repository's root. */
  path: z.string(),
  /** Counts from 1 on its side; null for a comment on the whole file. */
  line: z.number().int().nullable(),
  /** `new` is the file as the attempt left it. */
  side: z.enum(["old", "new"]),
  /** The line's text when the comment was made. */
  quoted: z.string().nullable(),
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
