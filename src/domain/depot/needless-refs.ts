/** Decides which references of a depot nobody needs any more: copies that a newer one replaced, and dropped snapshots. */
import { type DepotRef, readDepotRef } from "./depot-ref.ts";

/** What the database says of one attempt. */
export interface CopiedAttempt {
  readonly id: string;
  /** The newest copy; null if none was stored. */
  readonly ref: string | null;
  /** The numbers of the snapshots that were dropped, as the trash does after its time. */
  readonly dropped: ReadonlySet<number>;
  /** The runs that have not ended, with the epochs of their leases. */
  readonly unfinished: ReadonlyMap<string, number>;
}

/** An attempt that the database does not know keeps all: it may be one of a database that is to come back. */
export function needlessRefs(
  refs: readonly string[],
  attempts: ReadonlyMap<string, CopiedAttempt>,
): readonly string[] {
  return refs.filter((name) => {
    const ref = readDepotRef(name);
    const attempt = ref === null ? undefined : attempts.get(ref.attempt);
    if (ref === null || attempt === undefined || name === attempt.ref) return false;
    return ref.kind === "snapshots" ? attempt.dropped.has(ref.number) : isReplaced(ref, attempt);
  });
}

type CopyOfRun = Exclude<DepotRef, { readonly kind: "snapshots" }>;

/** One that is newer than what was stored may just be on its way. Somebody may still read the one before that. */
function isReplaced(ref: CopyOfRun, { ref: stored, unfinished }: CopiedAttempt): boolean {
  const newest = stored === null ? null : readDepotRef(stored);
  if (newest === null) return false;
  if (newest.kind === "snapshots" || newest.run !== ref.run)
    return (unfinished.get(ref.run) ?? -1) !== ref.epoch;
  if (newest.epoch !== ref.epoch) return ref.epoch < newest.epoch;
  return newest.kind === ref.kind && ref.number < newest.number - 1;
}
