/** Waits until this process is told to stop. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves at the first of them; further ones change nothing, so that what has to be stopped is stopped. */
export function signaled(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of SIGNALS) process.on(name, () => resolve());
  });
}
