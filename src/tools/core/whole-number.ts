/** Describes arguments that are whole numbers within bounds. */
import { z } from "zod";

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Holds if the argument is absent; the description ends with it. */
  readonly default: number;
}

export function wholeNumber(description: string, { min, max, default: usual }: Bounds) {
  return z.int().min(min).max(max).default(usual).describe(`${description} (default: ${usual}).`);
}
