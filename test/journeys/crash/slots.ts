/** Lets a few crash cases of one file run at once, so that a small machine is busy, not swamped. */

export interface Slots {
  /** Runs `act` as soon as fewer than `max` others do. */
  run<T>(act: () => Promise<T>): Promise<T>;
}

export function createSlots(max: number): Slots {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const take = async (): Promise<void> => {
    if (taken < max) {
      taken += 1;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const give = (): void => {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  };
  return {
    run: async (act) => {
      await take();
      try {
        return await act();
      } finally {
        give();
      }
    },
  };
}
