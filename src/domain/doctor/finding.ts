/** Describes one thing that `tazuna doctor` found: what it is, whose, why it may or may not go, and its remedy. */

export interface Finding {
  /** Stable for as long as the thing stays as it is, such as `worktree:run_1234`. */
  readonly id: string;
  readonly level: "ok" | "info" | "warning" | "error";
  /** One sentence. */
  readonly what: string;
  /** Whose it is, in words for a person; null where nobody knows, or where it is nobody's. */
  readonly whose: string | null;
  /** Why it may or may not go, or why it matters; null where `what` says all. */
  readonly why: string | null;
  /** How much room it takes; null where that was not counted. */
  readonly bytes: number | null;
  /** Absolute; null where it is no file. */
  readonly path: string | null;
  /** What to do about it, in one sentence that can be followed; null where nothing is to be done. */
  readonly remedy: string | null;
}
