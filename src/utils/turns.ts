/** Lets others work between the parts of a long computation, which would hold up every answer of the engine. */
import { setImmediate as otherWork } from "node:timers/promises";

/** How long one part may take. */
const TURN_MS = 20;

export interface Turns {
  /** Whether somebody else should work before this goes on. */
  isOver(): boolean;
  /** Settles when others had their turn. */
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

/** Runs a computation to its end that yields wherever it can be interrupted; what lies between two yields should be short. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  const turns = takeTurns();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (turns.isOver()) await turns.pass();
  }
}
