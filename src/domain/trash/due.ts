/** Decides which entries of the trash are due, and which go first if the disk is nearly full. */

interface TrashFacts {
  readonly entries: readonly { readonly id: string; readonly deletedAt: string }[];
  /** By entry: the earlier look at which it was old enough. */
  readonly looks: TrashLooks;
  readonly now: Date;
  /** How long an entry stays at least, and how long it is kept. */
  readonly settleMs: number;
  readonly keepMs: number;
}

export type TrashLooks = Readonly<Record<string, { readonly settled?: string; readonly old?: string }>>;

export interface TrashDecision {
  /** What goes now. */
  readonly old: readonly string[];
  /** What may go if the disk is nearly full, the oldest first. */
  readonly forRoom: readonly string[];
  /** To be stored until the next look. */
  readonly looks: TrashLooks;
}

/**
 * An entry goes only if a look at least `settleMs` earlier found it due as well. So a clock that is wrongly ahead for
 * an hour deletes nothing. A look with a time in the future came from such a clock, and is forgotten.
 */
export function dueInTrash({ entries, looks, now, settleMs, keepMs }: TrashFacts): TrashDecision {
  const time = now.getTime();
  const found = entries
    .toSorted((a, b) => a.deletedAt.localeCompare(b.deletedAt))
    .map(({ id, deletedAt }) => {
      const age = time - Date.parse(deletedAt);
      const at = (isDue: boolean, before: string | undefined) =>
        isDue ? (before !== undefined && Date.parse(before) <= time ? before : now.toISOString()) : null;
      return {
        id,
        settled: at(age >= settleMs, looks[id]?.settled),
        old: at(age >= keepMs, looks[id]?.old),
      };
    });
  const isSure = (at: string | null) => at !== null && time - Date.parse(at) >= settleMs;
  return {
    old: found.filter(({ old }) => isSure(old)).map(({ id }) => id),
    forRoom: found.filter(({ settled }) => isSure(settled)).map(({ id }) => id),
    looks: Object.fromEntries(
      found.map(({ id, settled, old }) => [
        id,
        { ...(settled === null ? {} : { settled }), ...(old === null ? {} : { old }) },
      ]),
    ),
  };
}
