/** Describes each of the four ledgers: the database, git's registrations and references, the disk, living processes. */
import type { Attempt } from "../attempt/attempt.ts";
import type { Snapshot } from "../attempt/snapshot.ts";
import type { Operation } from "../operation.ts";
import type { Repository } from "../repository/repository.ts";
import type { Run } from "../run/run.ts";
import type { LeftWorktree } from "../worker/left-worktree.ts";

/** All facts at once. The database is read last, so that it has the record of everything that is made meanwhile. */
export interface Ledgers {
  /** The data folder, absolute. */
  readonly root: string;
  /** Of the engine that works on it; null if none does. */
  readonly enginePid: number | null;
  readonly database: DatabaseLedger;
  /** One for each git directory that a known repository shares. */
  readonly git: readonly RepositoryLedger[];
  readonly disk: readonly DiskFact[];
  readonly processes: readonly ProcessFact[];
}

export interface DatabaseLedger {
  /** Those of the list, and every clone. */
  readonly repositories: readonly RepositoryRecord[];
  /** Where clones are being made now. */
  readonly making: readonly string[];
  readonly attempts: readonly AttemptRecord[];
  readonly runs: readonly RunRecord[];
  /** What the journal says was moved to the trash, and to which place. */
  readonly putAside: readonly PutAside[];
  /** Acts that were begun and not ended, without those that are under way. */
  readonly unfinishedOperations: readonly UnfinishedOperation[];
  /** Snapshots that were not dropped. */
  readonly snapshots: readonly Pick<Snapshot, "attemptId" | "ref">[];
}

export type RepositoryRecord = Pick<Repository, "id" | "path" | "commonDir" | "url"> & {
  /** It was taken out of the list. */
  readonly removed: boolean;
};

export type AttemptRecord = Pick<
  Attempt,
  "id" | "branch" | "branchExisted" | "worktree" | "gitDir" | "state" | "cleanUp"
> & {
  readonly repositoryId: string;
  /** The repository of its task, in which a branch of its name may be left; absent if it is the same. */
  readonly begunIn?: string;
  /** Whether another data folder holds its worktree. */
  readonly elsewhere?: boolean;
  /** What this data folder still had of it when it came back; absent if nothing was kept. */
  readonly left?: LeftRecord;
};

/** Its worker is this one, by the name that people call it. */
export type LeftRecord = Pick<LeftWorktree, "files" | "notContained" | "state"> & { readonly worker: string };

export type RunRecord = Pick<Run, "id" | "attemptId" | "held"> & { readonly ended: boolean };

export interface PutAside {
  readonly operation: string;
  readonly attemptId: string;
  /**
   * `entry`: a worktree in the trash. `copy`: the copy of a failed move there from another disk. `purge`: a worktree
   * on its way out of the trash. `half_made`: a worktree whose creation a crash cut off. `clone`: a clone that goes for
   * room on the disk; its id stands for the attempt's.
   */
  readonly as: "entry" | "copy" | "purge" | "half_made" | "clone";
  readonly path: string;
  readonly status: Operation["status"];
  readonly at: string;
}

export interface UnfinishedOperation {
  readonly operation: string;
  readonly kind: string;
  readonly subject: Operation["subject"];
  readonly at: string;
  /** Absolute: where the moved thing may be by now. */
  readonly paths: readonly string[];
  /** Why the last start could not check it; null if none has tried. */
  readonly trouble: string | null;
}

export interface RepositoryLedger {
  readonly commonDir: string;
  /** False if git could not be asked: then nothing is concluded from missing entries. */
  readonly readable: boolean;
  readonly registrations: readonly RegistrationFact[];
  /** Full names of branches, and of everything below `refs/tazuna/`. */
  readonly refs: readonly string[];
}

export interface RegistrationFact {
  readonly path: string;
  /** The repository's own checkout, or the bare repository itself. */
  readonly main: boolean;
  /** Null while its HEAD is detached. */
  readonly branch: string | null;
  readonly locked: boolean;
}

/** Folders of the data folder; `root` is the data folder's own level. */
export const PLACES = [
  "worktrees",
  "trash",
  "ignored",
  "runs",
  "attempts",
  "workspaces",
  "demos",
  "root",
] as const;
export type Place = (typeof PLACES)[number];

export interface DiskFact {
  readonly place: Place;
  readonly name: string;
  readonly path: string;
  /** Links are not followed. */
  readonly kind: "folder" | "file" | "link";
  /** The git directory that its `.git` file names; null if there is none, or if it was not looked for. */
  readonly pointer: string | null;
}

/** A process that carries our mark in its environment. */
export interface ProcessFact {
  readonly pid: number;
  readonly startTime: string;
  readonly run: string;
  /** The worktree that it was given; null if its environment names none. */
  readonly workspace: string | null;
}
