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
   * outcome of a fetch that began after its call. `key` names the remote, or whatever else is asked of it. The signal that
   * `fetch` gets aborts once those of all its callers have.
   */
  fetchOnce<T>(commonDir: string, options: SharedFetch<T>): Promise<T>;
}

interface SharedFetch<T> {
  readonly key: string;
  readonly fetch: (signal: AbortSignal) => Promise<T>;
  /** Aborts when this caller does not want it any more; without one it always does. */
  readonly signal?: AbortSignal;
}

export function createRepositoryLock(): RepositoryLock {
  const sharedLock = createKeyedLock();
  const pushLock = createKeyedLock();
  const waiting = new Map<string, { readonly fetched: Promise<unknown>; readonly callers: Callers }>();

  const shared: RepositoryLock["shared"] = (commonDir, act) => sharedLock.run(commonDir, act);

  const fetchOnce: RepositoryLock["fetchOnce"] = <T>(
    commonDir: string,
    { key, fetch, signal }: SharedFetch<T>,
  ) => {
    const id = `${commonDir}\0${key}`;
    const joined = waiting.get(id);
    joined?.callers.join(signal);
    // The same key is only ever used with the same kind of fetch.
    if (joined !== undefined) return joined.fetched as Promise<T>;
    const callers = createCallers();
    callers.join(signal);
    const fetched = shared(commonDir, () => {
      // From here on it has begun: whoever asks now needs another one.
      waiting.delete(id);
      return fetch(callers.gone);
    });
    waiting.set(id, { fetched, callers });
    return fetched;
  };

  return {
    shared,
    pushing: (commonDir, act) => pushLock.run(commonDir, act),
    config: (commonDir, act) => pushLock.run(commonDir, () => shared(commonDir, act)),
    fetchOnce,
  };
}

interface Callers {
  join(signal: AbortSignal | undefined): void;
  /** Aborts when the last of them has left. */
  readonly gone: AbortSignal;
}

function createCallers(): Callers {
  const over = new AbortController();
  let left = 0;
  const leave = () => {
    left -= 1;
    if (left === 0) over.abort();
  };
  return {
    gone: over.signal,
    join: (signal) => {
      left += 1;
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
    },
  };
}
