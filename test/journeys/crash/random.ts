/** Throws dice that fall the same way for the same seed. */

export interface Random {
  /** A whole number from 0, less than `limit`. */
  below(limit: number): number;
  of<T>(items: readonly T[]): T | undefined;
}

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, of: (items) => items[below(items.length)] };
}
