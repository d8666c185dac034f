/** Makes what is told of a thing in the data folder. */
import { type Explanation, explain, keyOf } from "./explanation.ts";
import type { DiskFact } from "./ledgers.ts";

export const LOOK = "Look at what is in it; then move it away, or delete it, yourself.";

type Telling = Pick<Explanation, "standing" | "what" | "why"> & Partial<Explanation>;

export function tell(fact: DiskFact, of: Telling): Explanation {
  const { place, name, path } = fact;
  return explain({ id: `${place}:${name}`, covers: [keyOf.disk(path)], path, ...of });
}

export function unexplained(fact: DiskFact, what: string, more: Partial<Explanation> = {}): Explanation {
  const why = "It is kept: nothing proves whose it is, and it may hold work.";
  return tell(fact, { standing: "unexplained", what, why, remedy: LOOK, ...more });
}
