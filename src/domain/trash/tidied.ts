/** Describes the answers of the trash and of clean-ups: what lies there, what went, what stays and why. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

/** A worktree in the trash. */
export const trashEntrySchema = z.object({
  /** The id of the operation that put it there. */
  id: z.string(),
  attemptId: z.string(),
  /** Its absolute path. */
  path: z.string(),
  /** The reference of the snapshot that was taken just before; null if there is none. */
  snapshot: z.string().nullable(),
  /** Null if there is too much to count, or if something else lies there. */
  bytes: z.number().nullable(),
  deletedAt: time,
  /** When it is deleted for good, unless the disk is nearly full before. */
  purgeAt: time,
  /** Whether a snapshot of it stays in the repository after that. */
  snapshotStays: z.boolean(),
});
export type TrashEntry = Entity<typeof trashEntrySchema>;

/** What was deleted, or would be, and what stays and why. */
export const emptiedTrashSchema = z.object({
  removed: z.array(z.object({ id: z.string(), bytes: z.number() })),
  kept: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type EmptiedTrash = Entity<typeof emptiedTrashSchema>;

const cleanThing = {
  /** The id of the attempt; for anything else, the id under which `doctor` shows it. */
  id: z.string(),
  what: z.string(),
  /** Null if it is not known. */
  whose: z.string().nullable(),
  /** Absolute; null if it is not a file. */
  path: z.string().nullable(),
};

const cleanRemovedSchema = z.object({
  ...cleanThing,
  bytes: z.number(),
  /** Why it may go. */
  why: z.string(),
});
export type CleanRemoved = Entity<typeof cleanRemovedSchema>;

const cleanKeptSchema = z.object({
  ...cleanThing,
  /** Null if it was not counted. */
  bytes: z.number().nullable(),
  reason: z.string(),
  remedy: z.string().nullable(),
});
export type CleanKept = Entity<typeof cleanKeptSchema>;

/** What a clean-up removed, or would, and what it kept. */
export const cleanedSchema = z.object({
  removed: z.array(cleanRemovedSchema),
  kept: z.array(cleanKeptSchema),
});
export type Cleaned = Entity<typeof cleanedSchema>;

/** The worktree that an entry of the trash became again. */
export const restoredEntrySchema = z.object({
  entry: z.string(),
  /** Absolute path of the worktree. */
  path: z.string(),
});
export type RestoredEntry = Entity<typeof restoredEntrySchema>;
