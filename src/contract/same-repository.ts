/** Joins repositories of several workers that have one address: for people they are one (ADR 0090). */
import { keyOfAddress } from "./clone-address.ts";

interface Placed {
  readonly address?: string | null;
  /** The other worker on whose disk it lies; an older engine names none. */
  readonly worker?: { readonly name: string } | null;
}

interface Joined<R> {
  /** The one of this worker, if it has one. */
  readonly repository: R;
  /** All that are this one for people, itself too. */
  readonly same: readonly R[];
  /** The names of the other workers that have it. */
  readonly workers: readonly string[];
}

/** In the order of their first ones. Those of this worker stay apart: they lie at different places. */
export function joinedByAddress<R extends Placed>(all: readonly R[]): readonly Joined<R>[] {
  const keys = new Map(all.map((one) => [one, one.address ? keyOfAddress(one.address) : null] as const));
  const leads = new Map<string, R>();
  for (const one of [...all.filter(isHere), ...all]) {
    const key = keys.get(one) ?? null;
    if (key !== null && !leads.has(key)) leads.set(key, one);
  }
  const leadOf = (one: R) => (isHere(one) ? one : (leads.get(keys.get(one) ?? "") ?? one));
  const groups = Map.groupBy(all, leadOf);
  return [...groups].map(([repository, same]) => ({
    repository,
    same,
    workers: [...new Set(same.flatMap(({ worker }) => worker?.name ?? []))],
  }));
}

const isHere = ({ worker = null }: Placed) => worker === null;
