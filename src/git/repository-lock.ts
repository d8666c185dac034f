/** Keeps what several runs do to one repository's shared files apart, and lets one fetch serve all who wait for it. */
import { createKeyedLock } from "../utils/keyed-lock.ts";

export interface RepositoryLock {
  /**
   * For what reads or writes files that all worktrees share: worktree add, list and prune, fetch, pull, repair. Not
   * reentrant; nothing inside may wait for `pushing` or `config`.
   */
  shared<T>(commonDir: string, act: () => Promise<T>): Promise<T>;
  /** For pushes, one at a time, beside everything else. */
  pushing<T>(commonDir: string, act: () => Promise<T>): Promise<T>;
  /** For what writes the shared configuration: `branch -D`. Holds both locks. */
  config<T>(commonDir: string, act: () => Promise<T>): Promise<T>;
  /**
   * Runs `fetch` under the shared lock, or waits for one of the same key that has not begun yet: every caller gets the
   * outcome of a fetch that began after its call. `key` names the remote, or whatever else is asked of it.
   */
  fetchOnce<T>(
    commonDir: string,
    options: { readonly key: string; readonly fetch: () => Promise<T> },
  ): Promise<T>;
}

export function createRepositoryLock(): RepositoryLock {
  const sharedLock = createKeyedLock();
  const pushLock = createKeyedLock();
  const waiting = new Map<string, Promise<unknown>>();

  const shared: RepositoryLock["shared"] = (commonDir, act) => sharedLock.run(commonDir, act);

  const fetchOnce: RepositoryLock["fetchOnce"] = <T>(
    commonDir: string,
    { key, fetch }: { readonly key: string; readonly fetch: () => Promise<T> },
  ) => {
    const id = `${commonDir}\0${key}`;
    const joined = waiting.get(id);
    // The same key is only ever used with the same kind of fetch.
    if (joined !== undefined) return joined as Promise<T>;
    const fetched = shared(commonDir, () => {
      // From here on it has begun: whoever asks now needs another one.
      waiting.delete(id);
      return fetch();
    });
    waiting.set(id, fetched);
    return fetched;
  };

  return {
    shared,
    pushing: (commonDir, act) => pushLock.run(commonDir, act),
    config: (commonDir, act) => pushLock.run(commonDir, () => shared(commonDir, act)),
    fetchOnce,
  };
}
