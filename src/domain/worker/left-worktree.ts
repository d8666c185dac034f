/** Describes the worktree of a lost worker that came back. Its attempt went on elsewhere meanwhile (ADR 0097). */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

/**
 * `kept`: it has a snapshot on its own machine. `offered`: the depot has that, too. `same`: nothing was edited after the
 * copy. `restored` and `discarded`: what a person did with the offer.
 */
const LEFT_STATES = ["kept", "offered", "same", "restored", "discarded"] as const;

export const leftWorktreeSchema = z.object({
  attemptId: z.string(),
  /** The worker that came back. */
  workerId: z.string(),
  /** Absolute, on its machine. */
  path: z.string(),
  /** The commit of the snapshot, with all files but ignored ones. */
  sha: z.string(),
  /** What the attempt went on with elsewhere: the newest copy, or else the commit at which the run had begun. */
  base: z.string(),
  /** How many files differ from that. */
  files: z.number(),
  /** Paths that no snapshot can hold. */
  notContained: z.array(z.string()),
  state: z.enum(LEFT_STATES),
  takenAt: time,
  /** When a person restored or discarded it, by the database's clock; null before. */
  endedAt: time.nullable(),
});
export type LeftWorktree = Entity<typeof leftWorktreeSchema>;

/** The reference of its snapshot in the depot, and in the clone that fetches it. */
export function leftRef({ attemptId, workerId }: Pick<LeftWorktree, "attemptId" | "workerId">): string {
  return `refs/tazuna/returned/${attemptId}/${workerId}`;
}

const LEFT_REF = /^refs\/tazuna\/returned\/([0-9A-Za-z-]{1,64})\/([0-9A-Za-z-]{1,64})$/;

/** Null for any other reference. */
export function readLeftRef(ref: string): Pick<LeftWorktree, "attemptId" | "workerId"> | null {
  const [, attemptId, workerId] = LEFT_REF.exec(ref) ?? [];
  return attemptId === undefined || workerId === undefined ? null : { attemptId, workerId };
}

/** Whether the worker may push that commit under that reference: its own snapshot, once. */
export function mayPushLeft(
  pushed: { readonly ref: string; readonly to: string; readonly worker: string },
  known: LeftWorktree | null,
): boolean {
  if (known === null || known.workerId !== pushed.worker || leftRef(known) !== pushed.ref) return false;
  return known.state === "kept" && known.sha === pushed.to;
}

/** Whether a person is told of it. */
export function isOffer({ state }: Pick<LeftWorktree, "state">): boolean {
  return state === "kept" || state === "offered";
}

interface FoundFolders {
  /** Names in the folder of worktrees. */
  readonly names: readonly string[];
  /** Worktrees of attempts that this worker holds. */
  readonly own: readonly string[];
  /** Worktrees that were kept before. */
  readonly known: readonly string[];
}

/** Folders that may have been left: nobody here works in them, and they were not kept before. */
export function strangeFolders({ names, own, known }: FoundFolders): readonly string[] {
  const told = new Set([...own, ...known].map(nameOf));
  return names.filter((name) => !told.has(name));
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
