/** Waits until this process is told to stop. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves at the first signal. Further ones change nothing, so that the stop can finish. */
export function signaled(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of SIGNALS) process.on(name, () => resolve());
  });
}
