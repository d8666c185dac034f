/** Lets a few in at once, in the order in which they came. The others wait, but not without end. */

export interface Seats {
  /** Returns how to leave; a second call is harmless. Rejects if none was free for `withinMs`. */
  enter(): Promise<() => void>;
}

export function createSeats(count: number, withinMs: number): Seats {
  let free = count;
  const waiting = new Set<() => void>();
  const leave = () => {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  };
  const left = () => {
    let isIn = true;
    return () => {
      if (isIn) leave();
      isIn = false;
    };
  };
  return {
    enter: () => {
      if (free > 0) {
        free--;
        return Promise.resolve(left());
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const settle = (act: () => void) => {
        clearTimeout(late);
        waiting.delete(next);
        act();
      };
      const next = () => settle(() => resolve(left()));
      const late = setTimeout(() => settle(() => reject(new Error("all connections are busy"))), withinMs);
      waiting.add(next);
      return promise;
    },
  };
}
