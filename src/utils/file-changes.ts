/** Wakes whoever waits for a file: when the system says so, and from time to time in any case. */
import { type FSWatcher, watch } from "node:fs";

export interface FileChanges {
  /** Settles when one of the files may have changed since the last call settled, at the latest after the poll time. */
  next(): Promise<void>;
  close(): void;
}

export interface FileChangesOptions {
  /** Existing folder; its files need not exist yet. */
  readonly folder: string;
  /** Names in it. */
  readonly files: readonly string[];
  /** How long to trust silence: watching fails on network file systems and when the system runs out of watches. */
  readonly pollMs: number;
  /** Ends the waiting for good: `next` settles at once from then on. */
  readonly signals?: readonly AbortSignal[];
}

/** Bun swallows events that follow another one within some milliseconds, so each one is followed by a second look. */
const SECOND_LOOK_MS = 25;

/** Watches some files of a folder; holds no process alive by itself while nobody waits. */
export function watchFiles(options: FileChangesOptions): FileChanges {
  let changed = false;
  let wake: () => void = () => {};
  const note = () => {
    changed = true;
    wake();
  };
  let secondLook: NodeJS.Timeout | null = null;
  const watcher = watchOrNull(options.folder, (name) => {
    if (name !== null && !options.files.includes(name)) return;
    note();
    secondLook ??= setTimeout(() => {
      secondLook = null;
      note();
    }, SECOND_LOOK_MS);
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
      if (secondLook) clearTimeout(secondLook);
      wake();
      for (const signal of options.signals ?? []) signal.removeEventListener("abort", note);
    },
  };
}

/** A watcher, or null where the system refuses one; then the polls alone must do. */
function watchOrNull(folder: string, onChange: (name: string | null) => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => onChange(name));
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
