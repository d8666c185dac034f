/** Lets a run stop waiting for something that others wait for too. */
import { err, type Result } from "neverthrow";

/** The answer, or `canceled` at once if a person stops this run. The request itself then goes on without it. */
export function untilStopped<T, E>(
  signal: AbortSignal,
  asked: Promise<Result<T, E>>,
): Promise<Result<T, E | Canceled>> {
  const stopped = new Promise<Result<T, E | Canceled>>((resolve) => {
    const stop = () => resolve(err({ kind: "canceled", command: "git", message: "It was stopped." }));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  return Promise.race([asked, stopped]);
}

/** The same as the git error of a call that was cancelled. */
interface Canceled {
  readonly kind: "canceled";
  readonly command: string;
  readonly message: string;
}
