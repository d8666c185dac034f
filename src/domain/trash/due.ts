/** Decides what in the trash has lain there for its time, and what goes first where the disk is nearly full, without trusting the clock once. */

export interface TrashFacts {
  readonly entries: readonly { readonly id: string; readonly deletedAt: string }[];
  /** By entry: at which earlier look it had lain there long enough. */
  readonly looks: TrashLooks;
  readonly now: Date;
  /** How long an entry stays at least, and after which it goes. */
  readonly settleMs: number;
  readonly keepMs: number;
}

export type TrashLooks = Readonly<Record<string, { readonly settled?: string; readonly old?: string }>>;

export interface TrashDecision {
  /** What goes now. */
  readonly old: readonly string[];
  /** What may go where the disk is nearly full, the oldest first. */
  readonly forRoom: readonly string[];
  /** To be remembered until the next look. */
  readonly looks: TrashLooks;
}

/**
 * An entry goes only where a look that was taken `settleMs` before this one found it due as well: a clock that is wrongly
 * ahead for an hour deletes nothing. What a look found whose time is still to come was found by such a clock, and is forgotten.
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
