/** Lets a changed setting take effect by itself: while runs wait, their configuration files are looked at every now and then. */

export interface SettingsWatch {
  stop(): void;
}

const LOOK_MS = 1_000;

/** Calls `wake` soon after `changed` says so. */
export function watchSettings(of: {
  /** Cheap where nothing waits. */
  readonly changed: () => Promise<boolean>;
  readonly wake: () => void;
  readonly onError: (error: unknown) => void;
}): SettingsWatch {
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      if (await of.changed()) of.wake();
    } catch (error) {
      of.onError(error);
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
