/** Wakes the waiter for a file when the system reports a change, and regularly in any case. */
import { type FSWatcher, watch } from "node:fs";

interface FileChanges {
  /** Settles when a file may have changed since the last call settled, at the latest after the poll time. */
  next(): Promise<void>;
  close(): void;
}

interface FileChangesOptions {
  /** Existing folder; its files need not exist yet. */
  readonly folder: string;
  /** Names of the files in it; null is any. */
  readonly files: readonly string[] | null;
  /**
   * The longest wait without an event. Watching fails on network file systems, and when the system runs out of
   * watches.
   */
  readonly pollMs: number;
  /** Ends the waiting for good: from then on `next` settles at once. */
  readonly signals?: readonly AbortSignal[];
}

/** Bun loses events that follow another one within some milliseconds, so a second check follows each event. */
const SETTLE_MS = 25;

/** Watches some files of a folder. Without a waiter, it keeps no process alive. */
export function watchFiles(options: FileChangesOptions): FileChanges {
  let changed = false;
  let wake: () => void = () => {};
  const note = () => {
    changed = true;
    wake();
  };
  let settleTimer: NodeJS.Timeout | null = null;
  const watcher = watchOrNull(options.folder, (name) => {
    if (name !== null && options.files?.includes(name) === false) return;
    note();
    settleTimer ??= setTimeout(() => {
      settleTimer = null;
      note();
    }, SETTLE_MS);
  });
  for (const signal of options.signals ?? []) signal.addEventListener("abort", note);

  const next = async (): Promise<void> => {
    const over = options.signals?.some((signal) => signal.aborted) ?? false;
    if (!changed && !over) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, options.pollMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    changed = false;
  };

  return {
    next,
    close: () => {
      watcher?.close();
      if (settleTimer) clearTimeout(settleTimer);
      wake();
      for (const signal of options.signals ?? []) signal.removeEventListener("abort", note);
    },
  };
}

/** A watcher, or null if the system refuses one; then only polls remain. */
function watchOrNull(folder: string, onChange: (name: string | null) => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => onChange(name));
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
