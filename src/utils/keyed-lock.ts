/** Lets one caller at a time do something for a key, in the order in which they asked. */

export interface KeyedLock {
  /**
   * Runs `task` once every earlier `run` of the same key has settled; other keys go on side by side.
   * Settles as `task` does, and a task that fails lets the next one in. Not reentrant: a task that
   * waits for a `run` of its own key waits for itself.
   */
  run<T>(key: string, task: () => Promise<T> | T): Promise<T>;
  /** How many keys are held or waited for right now. */
  heldKeys(): number;
}

/** A lock inside this process; nothing is kept for keys that nobody uses. */
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
