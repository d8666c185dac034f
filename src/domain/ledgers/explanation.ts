/** Describes what the ledgers together say about one thing: whose it is, whether it may go and why, what to do about it. */

/**
 * `in_use`: a living attempt needs it. `kept`: it is ours and stays for a reason. `theirs`: it is not Tazuna's. `stale`: it is ours,
 * dead, and holds nothing: only that may go. `lost`: the database counts on it, and it is not there. `unfinished`: it was begun, and cannot be
 * ended for now. `unexplained`: nothing says why it is there.
 */
export type Standing = "in_use" | "kept" | "theirs" | "stale" | "lost" | "unfinished" | "unexplained";

export interface Explanation {
  /** Stable, such as `worktree:run_1234`. */
  readonly id: string;
  readonly standing: Standing;
  /** Keys of the things that it is about (`keyOf`); none for what is lost, and for acts. */
  readonly covers: readonly string[];
  readonly what: string;
  readonly owner: Owner | null;
  /** Why it may go or has to stay. */
  readonly why: string;
  readonly remedy: string | null;
  readonly path: string | null;
  /** What is certain enough to be done at a start, by itself. */
  readonly repair: Repair | null;
}

export interface Owner {
  readonly type: "attempt" | "run" | "task" | "repository";
  readonly id: string;
}

export type Repair =
  /** A registration of a removed attempt whose folder is gone. */
  | { readonly act: "deregister"; readonly attempt: string; readonly path: string }
  /** The rest of an entry of the trash, whose deletion was decided with proof. */
  | { readonly act: "finish_purge"; readonly operation: string; readonly path: string }
  /** The worktree of an attempt that nobody works on is gone: that is written down once. */
  | { readonly act: "note_lost"; readonly attempt: string };

/** One name for each thing of the world, over all ledgers. */
export const keyOf = {
  disk: (path: string) => `disk:${path}`,
  registration: (commonDir: string, path: string) => `registration:${commonDir}\0${path}`,
  ref: (commonDir: string, name: string) => `ref:${commonDir}\0${name}`,
  process: (pid: number) => `process:${pid}`,
};

export const attemptOwner = (id: string): Owner => ({ type: "attempt", id });

/** As ids are shown to people. */
export const short = (id: string): string => id.slice(0, 8);

/** Most explanations repair nothing, lie at no path and ask for nothing. */
export function explain(
  of: Pick<Explanation, "id" | "standing" | "covers" | "what" | "why"> & Partial<Explanation>,
): Explanation {
  return { owner: null, remedy: null, path: null, repair: null, ...of };
}
