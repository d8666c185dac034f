/** Lets one caller at a time work on a key, in the order of the calls. */

export interface KeyedLock {
  /**
   * Runs `task` once every earlier `run` of the same key has settled; other keys run at the same time. Settles as
   * `task` does, and a failed task lets the next one in. Not reentrant: a task that waits for a `run` of its own key
   * never ends.
   */
  run<T>(key: string, task: () => Promise<T> | T): Promise<T>;
  /** How many keys are held or waited for right now. */
  heldKeys(): number;
}

/** A lock inside this process; unused keys take no memory. */
export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<void>>();

  const run = async <T>(key: string, task: () => Promise<T> | T): Promise<T> => {
    const before = last.get(key);
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    last.set(key, done);
    try {
      await before;
      return await task();
    } finally {
      if (last.get(key) === done) last.delete(key);
      release();
    }
  };

  return { run, heldKeys: () => last.size };
}
