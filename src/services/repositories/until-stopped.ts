/** Lets a run stop waiting for something that is done for others too. */
import { err, type Result } from "neverthrow";

/** The answer, or at once that it was canceled where a person stops this run; what was asked then goes on without it. */
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

/** As git says it of a call of its own. */
interface Canceled {
  readonly kind: "canceled";
  readonly command: string;
  readonly message: string;
}
