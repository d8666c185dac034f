/** Describes how an attempt stands among all else: its processes, base, worktree, and other attempts. */

/** Each part is null if it is not known; `reasons` says why. */
export interface Situation {
  readonly processes: readonly RunningProcess[] | null;
  readonly drift: Drift | null;
  readonly worktree: Worktree;
  readonly ownEdits: readonly OwnEdit[] | null;
  readonly overlap: readonly OverlappingFile[] | null;
  /** A further run may be asked for: it is open, or a clean-up put it away and not a person. */
  readonly continues: boolean;
  /** When git was asked last; null if it was not. */
  readonly lookedAt: string | null;
  readonly reasons: Readonly<Record<Part, string | null>>;
}

export type Part = "processes" | "drift" | "worktree" | "ownEdits" | "overlap";

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
  readonly rssBytes: number;
}

/** The attempt's branch against its base as it is now. */
export interface Drift {
  /** Such as `origin/main`, as the remote was last seen. */
  readonly base: string;
  readonly baseSha: string;
  readonly ahead: number;
  readonly behind: number;
  readonly merges: "cleanly" | "conflict" | "unknown";
  /** Those that conflict. */
  readonly files: readonly string[];
  /** Why it is not known whether it merges. */
  readonly reason: string | null;
}

interface Worktree {
  readonly exists: boolean;
  /** Whether anything in it is not committed; null if git was not asked. */
  readonly dirty: boolean | null;
  readonly bytes: number | null;
}

/** A file that changed in the worktree since the last run: a person edited it. */
export interface OwnEdit {
  readonly path: string;
  readonly status: string;
}

/** A file that another open attempt of the repository changes too. */
export interface OverlappingFile {
  readonly path: string;
  readonly attempt: string;
  readonly task: string;
  readonly title: string;
}

/** A part, or why it is not known. */
export type Known<T> =
  | { readonly value: T; readonly why?: never }
  | { readonly value: null; readonly why: string };
