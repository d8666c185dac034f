/** Decides whether a snapshot is of an attempt's end: the one that the depot keeps from then on. */
import type { Attempt } from "../attempt/attempt.ts";

/**
 * An older one never takes the place of what the depot has, which may be newer. There is no other while the clean-up
 * waits, nor for good if the worktree was gone before. Both times are mostly of one clock: its worker cancels it.
 */
export function isOfEnd({ endedAt }: Pick<Attempt, "endedAt">, takenAt: string): boolean {
  return endedAt !== null && takenAt >= endedAt;
}
