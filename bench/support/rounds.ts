/** Measures several arms round by round, so that whatever disturbs the machine disturbs them all. */

/** One way to do the work; answers milliseconds by the name of what was measured. The first arm is the raw one. */
export interface Arm {
  readonly name: string;
  run(round: number): Promise<Readonly<Record<string, number>>>;
}

/** One value for each round, by measure; a measure's name is its own, whatever the arm. */
export type Measured = ReadonlyMap<string, readonly number[]>;

/**
 * Runs every arm once a round, each round beginning with another one, the disk's dirty pages written out before each. The
 * round before the first warms caches up and is thrown away.
 */
export async function measureRounds(arms: readonly Arm[], rounds: number): Promise<Measured> {
  const measured = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    const from = round % arms.length;
    for (const arm of [...arms.slice(from), ...arms.slice(0, from)]) {
      Bun.spawnSync(["sync"]);
      const times = await arm.run(round);
      if (round === 0) continue;
      for (const [measure, ms] of Object.entries(times))
        measured.set(measure, [...(measured.get(measure) ?? []), ms]);
    }
  }
  return measured;
}

/** The median of the ratios of two measures, round by round. */
export function ratioOf(measured: Measured, measure: string, to: string): number {
  const below = measured.get(to) ?? [];
  return median((measured.get(measure) ?? []).map((ms, round) => ms / (below[round] ?? Number.NaN)));
}

export function medianOf(measured: Measured, measure: string): number {
  return median(measured.get(measure) ?? []);
}

/** NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[(sorted.length - 1) >> 1],
    sorted[sorted.length >> 1],
  ];
  return (low + high) / 2;
}
