/** Describes a pull request as its forge shows it: where it stands, its checks, and what people wrote about it. */
import { z } from "zod";
import type { Entity } from "../entity.ts";

const pullRequest = z.object({
  number: z.int().positive(),
  /** Of its page, for people. */
  url: z.string(),
  state: z.enum(["open", "closed", "merged"]),
  draft: z.boolean(),
  title: z.string(),
  body: z.string(),
  head: z.object({
    branch: z.string(),
    sha: z.string(),
    /** Whose repository has the branch; null if that repository is gone. */
    owner: z.string().nullable(),
  }),
  base: z.object({ branch: z.string() }),
  /** Null while the forge still finds out. */
  mergeable: z.boolean().nullable(),
  /** Why it cannot be merged now, in the forge's own word. */
  mergeBlock: z.string().nullable(),
  /** The commit on the base that holds it, if it is merged. */
  mergeCommit: z.string().nullable(),
  author: z.string().nullable(),
  updatedAt: z.string(),
});
/** A pull request; GitLab calls it a merge request. */
export type PullRequest = Entity<typeof pullRequest>;

const forgeCheck = z.object({
  /** The adapter's own: nothing but `checkLog` reads it. */
  id: z.string(),
  name: z.string(),
  /** `neutral` neither passed nor failed: skipped, cancelled, or of no weight. */
  state: z.enum(["pending", "passed", "failed", "neutral"]),
  url: z.string().nullable(),
  summary: z.string().nullable(),
  at: z.string().nullable(),
});
/** What the forge's CI says of one commit, by the name of the check. */
export type ForgeCheck = Entity<typeof forgeCheck>;

const reviewComment = z.object({
  id: z.string(),
  author: z.string().nullable(),
  /** Without Tazuna's mark. */
  body: z.string(),
  at: z.string(),
  /** By the mark in its text, never by its author: both may use one login. */
  ours: z.boolean(),
});
export type ReviewComment = Entity<typeof reviewComment>;

const reviewThread = z.object({
  /** The adapter's own: `comment` answers in it. */
  id: z.string(),
  /** Null if it is about the whole pull request. */
  path: z.string().nullable(),
  line: z.int().nullable(),
  side: z.enum(["new", "old"]).nullable(),
  /** Null if the forge does not say. */
  resolved: z.boolean().nullable(),
  /** Whether the line has changed since. */
  outdated: z.boolean(),
  url: z.string(),
  comments: z.array(reviewComment),
});
export type ReviewThread = Entity<typeof reviewThread>;
