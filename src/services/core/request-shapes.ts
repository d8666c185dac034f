/** Describes the requests and queries that the HTTP API may make. */
import type { OperationGroup } from "../../domain/operation-group.ts";
import type { PublishPolicy } from "../../domain/task/task.ts";
import type { TaskSettings } from "../../domain/task/task-settings.ts";

export interface CreateTask {
  /** Id or path of the repository; a path that is new is registered. */
  readonly repository: string;
  readonly title: string | null;
  readonly issue: string;
  readonly context: string | null;
  readonly constraints: string | null;
  readonly base: string | null;
  readonly agents: readonly { readonly id: string; readonly model: string | null }[];
  readonly publish: PublishPolicy | null;
  /** One that exists, to work on; one agent only. */
  readonly branch: string | null;
  readonly fromWorktree: boolean;
  readonly offline: boolean;
  readonly budgetUsd: number | null;
  readonly settings: TaskSettings;
  readonly worker: string | null;
  readonly onLabels: readonly string[];
}

export interface FollowUp {
  readonly attempt: string;
  /** Null commits the person's own edits in the worktree, without an agent. */
  readonly instruction: string | null;
  readonly mergeBase: boolean;
  /** The commit message of the person's own edits; null to make one. Only without an instruction. */
  readonly message: string | null;
  /** Conflicts are handed to the agent. Without an instruction, that is its whole task. */
  readonly resolve: boolean;
  /** The ids of comments that are sent to the agent, in this order. */
  readonly comments: readonly string[];
  /** Ids of review threads that are sent with it; empty: all new ones; null: none. */
  readonly fromReview: readonly string[] | null;
  /** Names of failed checks that are sent with it; empty: all new ones; null: none. */
  readonly fromChecks: readonly string[] | null;
  readonly settings: TaskSettings;
}

export interface ReviewRequest {
  readonly attempt: string;
  readonly agent: { readonly id: string; readonly model: string | null };
  /** What to look at; null for the whole patch. */
  readonly instruction: string | null;
  readonly settings: TaskSettings;
}

export interface Retry {
  readonly run: string;
  readonly from: "start" | "push" | "checks";
  /** Works without a fetch, even if the run was to fetch. */
  readonly offline: boolean;
  readonly settings: TaskSettings;
}

/** A change of a run in the queue; null: as it is. */
export interface QueueChange {
  readonly run: string;
  readonly instruction: string | null;
  /** Its place in the queue of its attempt, counted from 1. */
  readonly position: number | null;
}

export interface Publish {
  readonly attempt: string;
  /** Rule ids of findings, and `check:NAME` of required checks, to allow as the last run showed them. */
  readonly allow: readonly string[];
  /** Null if nothing is allowed. */
  readonly reason: string | null;
  /** Files of the last run's findings that are left out of the commit, and of later ones. */
  readonly leaveOut: readonly string[];
  /** Under a name of its own that the remote does not have. */
  readonly anotherBranch: boolean;
  readonly settings: TaskSettings;
}

export interface Choose {
  readonly attempt: string;
  readonly reason: string;
  readonly tripwire: string | null;
  /** Cancels the other attempts too. */
  readonly trashOthers: boolean;
  /** The id of the decision that it is to replace; null for none. Absent: whichever holds. */
  readonly replaces?: string | null | undefined;
}

export interface Revert {
  readonly attempt: string;
  /** Who gets the files that git cannot revert alone; null: those refuse it. */
  readonly agent: string | null;
  readonly settings: TaskSettings;
}

/** One thing that is taken of an attempt. */
export interface Take {
  readonly attempt: string;
  /** A file or a folder, from the top of the repository; `.` for everything. */
  readonly path: string;
  /** Numbers from 1, as the patch of that file shows them; null: all of it. */
  readonly hunks: readonly number[] | null;
  /** The commit or tree of the attempt that was looked at; null: as it is now. */
  readonly expect: string | null;
}

export interface Compose {
  readonly task: string;
  /** At least one. */
  readonly take: readonly Take[];
  readonly settings: TaskSettings;
}

export interface Fork {
  readonly run: string;
  readonly agent: { readonly id: string; readonly model: string | null };
  /** Null: the issue of the task. */
  readonly instruction: string | null;
  readonly settings: TaskSettings;
}

export interface MergeRequest {
  readonly attempt: string;
  /** One plain commit instead of a merge commit. */
  readonly squash: boolean;
  /** If the target is checked out, merges it with its files there. */
  readonly here: boolean;
}

/** A call of a forge, byte for byte, with the headers in which forges prove that they know the secret. */
export interface ForgeWebhook {
  readonly body: string;
  readonly signatures: Readonly<Record<"hub" | "gitea" | "gitlab", string | null>>;
}

/** A comment of a person on an attempt's patch. */
export interface NewComment {
  readonly attempt: string;
  readonly path: string;
  /** Null: on the whole file. */
  readonly line: number | null;
  /** The last of several lines; null for one. */
  readonly endLine: number | null;
  readonly side: "old" | "new";
  readonly body: string;
}

/** A change of a comment; null: as it is. */
export interface CommentChange {
  readonly id: string;
  readonly body: string | null;
  readonly resolved: boolean | null;
}

/** A file of an attempt's patch was looked at, or is to be looked at again. */
export interface MarkViewed {
  readonly attempt: string;
  readonly path: string;
  readonly viewed: boolean;
}

/** Runs a check on the base of an attempt. */
export interface CheckBase {
  readonly attempt: string;
  readonly name: string;
  /** Although a result is known. */
  readonly again: boolean;
}

/** Which diff is asked for. */
export type DiffOf =
  | {
      readonly attempt: string;
      /** The id of the attempt to compare it with; null for its own changes. */
      readonly other: string | null;
      /** The id of the run of it from whose end it counts; null: from its base. */
      readonly since: string | null;
      /** A worker that came back: only what was edited there. Absent: the attempt's own changes. */
      readonly worker?: string | null;
    }
  | {
      /** What this run changed. */
      readonly run: string;
    };

export interface FileSide {
  readonly path: string;
  readonly side: "old" | "new";
}

/** Lines of one side of a changed file; they count from 1, and both ends belong to them. */
export interface LinesQuery extends FileSide {
  readonly from: number;
  readonly to: number;
}

export interface OpenPullRequest {
  readonly attempt: string;
  /** Null: Tazuna's own words, unless a person changed them there. */
  readonly title: string | null;
  readonly body: string | null;
  readonly draft: boolean;
}

/**
 * The idempotency key of a creation. A second call with it answers with what the first one created, as it is now. This
 * also holds if the engine died in between. Null creates each time.
 */
export type Once = { readonly key: string } | null;

/** Which tasks a list includes. */
export interface TaskQuery extends PageQuery {
  /** Includes tasks without an open attempt, and the attempts that were cancelled or removed. */
  readonly all: boolean;
  /** Id, name, or absolute path of a folder in it; null: tasks of every repository. */
  readonly repository: string | null;
  /** Only attempts that failed, and the tasks that have one. */
  readonly failed: boolean;
  /** Only attempts in this state; null: in any. */
  readonly state: string | null;
  /** Only attempts of this agent; null: of any. */
  readonly agent: string | null;
  /** Only tasks that were created then or later, UTC ISO; null: all. */
  readonly since: string | null;
}

/** Which attempts a list includes. */
export type AttemptQuery = Omit<TaskQuery, "all">;

/** Which runs a list includes. */
export interface RunQuery extends Omit<TaskQuery, "all" | "state"> {
  /** Only runs with this status; null: any. */
  readonly status: string | null;
}

/** Which operations a list includes. */
export interface OperationQuery extends PageQuery {
  /** Of this subject and all that belongs to it; null: of all. */
  readonly subject: string | null;
  readonly repository: string | null;
  readonly kind: string | null;
  readonly group: OperationGroup | null;
  readonly undoable: boolean;
  readonly text: string | null;
  /** Kinds that a caller's own words for `text` mean, joined by commas. */
  readonly named: string;
  readonly failed: boolean;
  readonly since: string | null;
}

/** What holds at a place. */
export interface SettingsQuery {
  /** Its repository, by id or path; null for none. */
  readonly repository: string | null;
  /** Those of a task that would be created with them. */
  readonly settings: TaskSettings;
}

export interface CleanRequest {
  /** Ids of tasks, attempts or runs, or unique prefixes; null for all attempts. */
  readonly ids: readonly string[] | null;
  /** Whether to remove anything; else the answer only says what would go. */
  readonly yes: boolean;
}

/** The start of a page (the `next` of another one, or null) and its maximum number of items. */
export interface PageQuery {
  readonly cursor: string | null;
  readonly limit: number;
}

export interface LogQuery {
  /** Returns lines after this number, at most `limit` of them. */
  readonly after: number;
  readonly limit: number;
  /** Begins no earlier than this many lines before the current end; null: at `after`. */
  readonly tail: number | null;
  /** Returns the last lines before this number instead; null: on from `after`. */
  readonly before: number | null;
  /** Only lines that contain this text; null for all. */
  readonly query: string | null;
}

export interface SettingChange {
  readonly key: string;
  /** JSON, or a plain text, of the dotted key. Null takes the key out of the file. */
  readonly value: string | null;
  /** A folder in a repository; null for the user's own file. */
  readonly repository: string | null;
  /** The repository's file that is not committed. */
  readonly local: boolean;
  /** A page may set nothing in the user's own file that runs, reaches or loosens something. */
  readonly from: "person" | "page";
}
