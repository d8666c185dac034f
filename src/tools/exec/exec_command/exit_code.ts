/** Returns one exit code for the end of a process, as shells do. */
import { constants } from "node:os";

/** The exit code, or 128 plus the number of the signal. */
export function exitCodeOf({
  code,
  signal,
}: {
  readonly code: number | null;
  readonly signal: string | null;
}): number {
  if (code !== null) return code;
  const number = signal === null ? undefined : constants.signals[signal as NodeJS.Signals];
  return 128 + (number ?? 0);
}
