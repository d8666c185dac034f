/** Describes what the ledgers together say about one thing: its owner, whether it may go and why, and the remedy. */
import type { DiskFact } from "./ledgers.ts";

/**
 * `in_use`: a living attempt needs it. `kept`: it is ours and stays for a reason. `theirs`: it is not Tazuna's.
 * `stale`: it is ours, dead, and holds nothing: only that may go. `lost`: the database expects it, but it is missing.
 * `unfinished`: it was begun, and cannot be ended for now. `unexplained`: nothing says why it is there.
 */
type Standing = "in_use" | "kept" | "theirs" | "stale" | "lost" | "unfinished" | "unexplained";

export interface Explanation {
  /** Stable, such as `worktree:run_1234`. */
  readonly id: string;
  readonly standing: Standing;
  /** Keys of the things that it is about (`keyOf`); empty for lost things and for acts. */
  readonly covers: readonly string[];
  readonly what: string;
  readonly owner: Owner | null;
  /** Why it may go or has to stay. */
  readonly why: string;
  readonly remedy: string | null;
  readonly path: string | null;
  /** A repair that is certain enough to be made at a start without a person. */
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
  /** The worktree of an idle attempt is gone: that is recorded once. */
  | { readonly act: "note_lost"; readonly attempt: string };

/** One name for each thing, over all ledgers. */
export const keyOf = {
  disk: (path: string) => `disk:${path}`,
  registration: (commonDir: string, path: string) => `registration:${commonDir}\0${path}`,
  ref: (commonDir: string, name: string) => `ref:${commonDir}\0${name}`,
  process: (pid: number) => `process:${pid}`,
};

export const attemptOwner = (id: string): Owner => ({ type: "attempt", id });

/** The id as people see it. */
export const short = (id: string): string => id.slice(0, 8);

/** Fields that are left out are null, and `covers` is empty. */
export function explain(parts: Telling & Pick<Explanation, "id">): Explanation {
  return { covers: [], owner: null, remedy: null, path: null, repair: null, ...parts };
}

export const LOOK = "Look at what is in it; then move it away, or delete it, yourself.";

/** What is told of a thing whose id and place are known. */
export type Telling = Pick<Explanation, "standing" | "what" | "why"> & Partial<Explanation>;

export function tell(fact: DiskFact, telling: Telling): Explanation {
  const { place, name, path } = fact;
  return explain({ id: `${place}:${name}`, covers: [keyOf.disk(path)], path, ...telling });
}

export function unexplained(fact: DiskFact, what: string, more: Partial<Explanation> = {}): Explanation {
  const why = "It is kept: nothing proves whose it is, and it may hold work.";
  return tell(fact, { standing: "unexplained", what, why, remedy: LOOK, ...more });
}
