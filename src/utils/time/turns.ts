/** Lets other tasks run between the parts of a long computation, which would delay every answer of the engine. */
import { setImmediate as otherWork } from "node:timers/promises";

/** How long one part may take. */
const TURN_MS = 20;

interface Turns {
  /** Whether other tasks should run before this continues. */
  isOver(): boolean;
  /** Settles when other tasks had their turn. */
  pass(): Promise<void>;
}

export function takeTurns(): Turns {
  let since = performance.now();
  return {
    isOver: () => performance.now() - since >= TURN_MS,
    pass: async () => {
      await otherWork();
      since = performance.now();
    },
  };
}

/** Runs a generator to its end, with pauses for other tasks. The time between two yields should be short. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  const turns = takeTurns();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (turns.isOver()) await turns.pass();
  }
}
