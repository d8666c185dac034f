/** Counts how often a person pressed Ctrl-C. */
import type { Terminal } from "../shared/terminal.ts";

export interface Interrupts {
  /** Settles with the first and with the second Ctrl-C. */
  readonly first: Promise<void>;
  readonly second: Promise<void>;
  count(): number;
  /** From now on Ctrl-C ends the process as usual. */
  end(): void;
}

export function listenForInterrupts(terminal: Terminal): Interrupts {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let count = 0;
  const end = terminal.onInterrupt(() => {
    count += 1;
    if (count === 1) first.resolve();
    if (count === 2) second.resolve();
  });
  return { first: first.promise, second: second.promise, count: () => count, end };
}
