/** Keeps the running calls of one client, so that one can be stopped, or all when the client goes. */

interface RunningCalls {
  /** Runs a call with a signal that aborts when the client cancels it or goes. */
  track<Result>(canceled: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  count(): number;
  /** Stops them all; settles when they have ended, at the latest after `maxMs`. */
  stopAll(options: { readonly maxMs: number }): Promise<void>;
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<AbortController, Promise<unknown>>();
  return {
    async track(canceled, call) {
      // A signal of its own: two calls under one id share the client's signal, and one would miss its end.
      const stop = new AbortController();
      const onCancel = () => stop.abort();
      if (canceled.aborted) onCancel();
      canceled.addEventListener("abort", onCancel, { once: true });
      const done = call(stop.signal);
      running.set(stop, done);
      try {
        return await done;
      } finally {
        running.delete(stop);
        canceled.removeEventListener("abort", onCancel);
      }
    },
    count: () => running.size,
    async stopAll({ maxMs }) {
      for (const stop of running.keys()) stop.abort();
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, maxMs);
      await Promise.race([Promise.allSettled(running.values()), limit.promise]);
      clearTimeout(timer);
    },
  };
}
