/** Runs acts one after another, in the order in which they are given. */

export function createTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const next = last.then(act);
    last = next.catch(() => undefined);
    return next;
  };
}
