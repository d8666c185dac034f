/** Separates what several runs do to one repository's shared files, and lets one fetch serve all waiting callers. */
import { createKeyedLock } from "../../utils/locks/keyed-lock.ts";

export interface RepositoryLock {
  /**
   * For reading or writing files that all worktrees share: worktree add, list and prune, fetch, pull, repair. Not
   * reentrant; nothing inside may wait for `pushing` or `config`.
   */
  shared<T>(commonDir: string, act: () => Promise<T>): Promise<T>;
  /** For pushes, one at a time; other work goes on beside them. */
  pushing<T>(commonDir: string, act: () => Promise<T>): Promise<T>;
  /** For writing the shared configuration: `branch -D`. Holds both locks. */
  config<T>(commonDir: string, act: () => Promise<T>): Promise<T>;
  /**
   * Runs `fetch` under the shared lock, or waits for one of the same key that has not begun. So every caller gets the
   * result of a fetch that began after its call. `key` names the remote, or what else is asked of it. The signal that
   * `fetch` gets aborts when the signals of all its callers have.
   */
  fetchOnce<T>(commonDir: string, options: SharedFetch<T>): Promise<T>;
}

interface SharedFetch<T> {
  readonly key: string;
  readonly fetch: (signal: AbortSignal) => Promise<T>;
  /** Aborts when this caller no longer wants the fetch; without a signal it always does. */
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
    // A fetch that all its callers have left ends as soon as it begins.
    if (joined !== undefined && !joined.callers.gone.aborted) {
      joined.callers.join(signal);
      // The same key is always used with the same kind of fetch.
      return joined.fetched as Promise<T>;
    }
    const callers = createCallers();
    callers.join(signal);
    const fetched = shared(commonDir, () => {
      // From here on the fetch has begun, so a new caller needs another one.
      if (waiting.get(id)?.callers === callers) waiting.delete(id);
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
  /** Aborts when the last caller has left. */
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
