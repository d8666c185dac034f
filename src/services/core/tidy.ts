/** Describes the answers of the trash and of clean-ups: what lies there, what went, what stays and why. */
import type { Repository } from "../../domain/repository/repository.ts";

/** A worktree in the trash. */
export interface TrashEntry {
  /** Id of the operation that put it there. */
  readonly id: string;
  readonly attemptId: string;
  /** Its absolute path. */
  readonly path: string;
  /** The reference of the snapshot that was taken just before; null if there is none. */
  readonly snapshot: string | null;
  /** Null if there is too much to count, or if something else lies there. */
  readonly bytes: number | null;
  readonly deletedAt: string;
}

/** What was deleted, or would be, and what stays and why. */
export interface EmptiedTrash {
  readonly removed: readonly { readonly id: string; readonly bytes: number }[];
  readonly kept: readonly { readonly id: string; readonly reason: string }[];
}

/** What a clean-up removed, or would, and what it kept. */
export interface Cleaned {
  readonly removed: readonly CleanRemoved[];
  readonly kept: readonly CleanKept[];
}

interface CleanThing {
  /** Id of the attempt; for anything else, the id under which `doctor` shows it. */
  readonly id: string;
  readonly what: string;
  /** Null if it is not known. */
  readonly whose: string | null;
  /** Absolute path; null if it is not a file. */
  readonly path: string | null;
}

export interface CleanRemoved extends CleanThing {
  readonly bytes: number;
  /** Why it may go. */
  readonly why: string;
}

export interface CleanKept extends CleanThing {
  /** Null if it was not counted. */
  readonly bytes: number | null;
  readonly reason: string;
  readonly remedy: string | null;
}

/** A repository that left the list, and what of it is on record or still on the disk. */
export interface RemovedRepository {
  readonly repository: Repository;
  /** Their records stay. */
  readonly tasks: number;
  /** Worktrees that stay in the trash. */
  readonly trashed: number;
}

export interface RestoredEntry {
  readonly entry: string;
  /** Absolute path of the worktree. */
  readonly path: string;
}
