/** Describes what each of the four ledgers holds: the database, git's registrations and references, the disk, living processes. */
import type { Attempt } from "../attempt/attempt.ts";
import type { Operation } from "../operation.ts";

/** All facts at once. The database was read last: what is made while they are gathered was written down before. */
export interface Ledgers {
  /** The data folder, absolute. */
  readonly root: string;
  /** Of the engine that works on it; null where none does. */
  readonly enginePid: number | null;
  readonly database: DatabaseLedger;
  /** One for each git directory that a known repository shares. */
  readonly git: readonly RepositoryLedger[];
  readonly disk: readonly DiskFact[];
  readonly processes: readonly ProcessFact[];
}

export interface DatabaseLedger {
  readonly repositories: readonly RepositoryRecord[];
  readonly attempts: readonly AttemptRecord[];
  readonly runs: readonly RunRecord[];
  /** What the journal says was put where in the trash. */
  readonly putAside: readonly PutAside[];
  /** Acts that were begun and not ended, but for those that are under way. */
  readonly unended: readonly UnendedAct[];
  /** Snapshots that were not dropped. */
  readonly snapshots: readonly { readonly attemptId: string; readonly ref: string }[];
}

export interface RepositoryRecord {
  readonly id: string;
  readonly path: string;
  readonly commonDir: string;
}

export type AttemptRecord = Pick<
  Attempt,
  "id" | "branch" | "branchExisted" | "worktree" | "gitDir" | "state" | "cleanUp"
> & { readonly repositoryId: string };

export interface RunRecord {
  readonly id: string;
  readonly attemptId: string;
  readonly ended: boolean;
  /** A follow-up that waits until a person says so. */
  readonly held: boolean;
}

export interface PutAside {
  readonly operation: string;
  readonly attemptId: string;
  /** `entry`: a worktree in the trash. `purge`: one on its way out of it. `half_made`: what a crash left of making one. */
  readonly as: "entry" | "purge" | "half_made";
  readonly path: string;
  readonly status: Operation["status"];
  readonly at: string;
}

export interface UnendedAct {
  readonly operation: string;
  readonly kind: string;
  readonly subject: Operation["subject"];
  readonly at: string;
  /** Absolute: where what it moves may lie by now. */
  readonly paths: readonly string[];
  /** Why the last start could not look at it; null where none has tried. */
  readonly trouble: string | null;
}

export interface RepositoryLedger {
  readonly commonDir: string;
  /** False where git could not be asked: nothing is concluded from what it did not say. */
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

/** Folders of the data folder; `root` is what lies directly in it. */
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
  /** The git directory that its `.git` file names; null where there is none, or where it was not looked for. */
  readonly pointer: string | null;
}

/** A process that carries our mark in its environment. */
export interface ProcessFact {
  readonly pid: number;
  readonly startTime: string;
  readonly run: string;
  /** The worktree that it was given; null where its environment names none. */
  readonly workspace: string | null;
}
