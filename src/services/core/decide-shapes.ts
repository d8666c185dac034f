/** Describes what a person asks for while they choose between attempts, and on the way out. */
import type { TaskSettings } from "../../domain/task/task-settings.ts";

/** Another attempt of a task, which begins from the base as it is then. */
export interface AddAttempt {
  readonly task: string;
  readonly agent: { readonly id: string; readonly model: string | null };
  /** Null: the base of the task. */
  readonly base: string | null;
  readonly offline: boolean;
  readonly settings: TaskSettings;
}

/** What a person takes back of what they allowed or left out. */
export interface TakeBack {
  readonly attempt: string;
  /** Rule ids, and `check:NAME`, that were allowed. */
  readonly allow: readonly string[];
  /** Paths that were left out. */
  readonly leaveOut: readonly string[];
}

/** Words of a person on a pull request. */
export interface Reply {
  /** Of the pull request, or of its attempt. */
  readonly id: string;
  /** The thread that they answer; null: the whole pull request. */
  readonly thread: string | null;
  readonly body: string;
}

/** What a person types for the way out of an attempt before it is used. Absent: as it is; null: thrown away. */
export interface ShipDraftChange {
  readonly attempt: string;
  /** The message of the commit that is still to be made. */
  readonly message?: string | null | undefined;
  /** Of the pull request that is still to be opened. */
  readonly title?: string | null | undefined;
  readonly body?: string | null | undefined;
  readonly draft?: boolean | null | undefined;
}

export interface MarkSeen {
  readonly attempt: string;
  /** Null: the last run that has ended. */
  readonly run: string | null;
}

/** What is to become of the edits of a worker that came back. */
export interface TakeLeft {
  readonly attempt: string;
  /** Its name, or the beginning of its id. */
  readonly worker: string;
  /** Drops the offer; else its edits are laid into the worktree. */
  readonly discard: boolean;
}
