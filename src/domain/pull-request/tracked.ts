/** Describes what is stored of an attempt's pull request: what its forge last said, and what is still to be done there. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

/** What a person asked for and no answer of the forge has confirmed yet. */
const wantedSchema = z.object({
  title: z.string(),
  body: z.string(),
  draft: z.boolean(),
  /** Whether a person typed the words. */
  given: z.object({ title: z.boolean(), body: z.boolean() }),
  /**
   * The newest pull request of the branch before, 0 if there was none: a higher number is the one that was asked for.
   * Null if the forge could not be asked yet.
   */
  after: z.number().int().nullable(),
});
export type Wanted = Entity<typeof wantedSchema>;

/** What is Tazuna's own there. */
const wroteSchema = z.object({
  /** Whether it made the pull request. */
  made: z.boolean(),
  /** Hashes of the words that it wrote last; null for words that are a person's. */
  title: z.string().nullable(),
  body: z.string().nullable(),
});
export type Wrote = Entity<typeof wroteSchema>;

/** Why the forge could not be asked, or refused. */
const troubleSchema = z.object({
  code: z.string(),
  message: z.string(),
  at: time,
  /** When it may be asked again, if the forge said so. */
  resumeAt: time.nullable(),
  /** How often in a row. */
  times: z.number().int(),
});
export type Trouble = Entity<typeof troubleSchema>;

const trackedCheck = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(["pending", "passed", "failed", "neutral"]),
  url: z.string().nullable(),
  summary: z.string().nullable(),
  at: z.string().nullable(),
});

const trackedThread = z.object({
  id: z.string(),
  path: z.string().nullable(),
  line: z.number().int().nullable(),
  side: z.enum(["new", "old"]).nullable(),
  resolved: z.boolean().nullable(),
  outdated: z.boolean(),
  url: z.string(),
  comments: z.array(
    z.object({
      id: z.string(),
      author: z.string().nullable(),
      body: z.string(),
      at: z.string(),
      ours: z.boolean(),
    }),
  ),
});

/** What was sent to the agent once. */
const handedSchema = z.object({
  /** The run that got it. */
  run: z.string(),
  at: time,
  by: z.enum(["person", "loop"]),
  /** The commit that the checks failed on, and that the comments were about. */
  head: z.string(),
  /** Names of failed checks. */
  checks: z.array(z.string()),
  /** Ids of comments. */
  comments: z.array(z.string()),
});
export type Handed = Entity<typeof handedSchema>;

export const trackedSchema = z.object({
  id: z.string(),
  attemptId: z.string(),
  /** The forge that was asked last, by the address of its API. */
  apiUrl: z.string(),
  /** `owner/name` there. */
  repository: z.string(),
  /** Null until the forge has made it or was found to have it. */
  number: z.number().int().nullable(),
  url: z.string().nullable(),
  state: z.enum(["open", "closed", "merged"]).nullable(),
  draft: z.boolean(),
  title: z.string(),
  head: z.object({ branch: z.string(), sha: z.string().nullable() }),
  baseBranch: z.string(),
  mergeable: z.boolean().nullable(),
  /** Why it cannot be merged, in the forge's own word. */
  mergeBlock: z.string().nullable(),
  mergeCommit: z.string().nullable(),
  author: z.string().nullable(),
  checks: z.array(trackedCheck),
  threads: z.array(trackedThread),
  wanted: wantedSchema.nullable(),
  wrote: wroteSchema,
  /** Oldest first. */
  handed: z.array(handedSchema),
  trouble: troubleSchema.nullable(),
  /** Looks in a row that found nothing new. */
  quiet: z.number().int(),
  /** When its forge answered last; null if it never did. */
  lookedAt: time.nullable(),
  /** When the forge is asked next; null if nothing can change any more. */
  lookAt: time.nullable(),
  createdAt: time,
});
/** A pull request that Tazuna follows. */
export type Tracked = Entity<typeof trackedSchema>;
