/** Describes files that a person leaves out of an attempt's commits, and finds those that are left out now. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

export const leftOutSchema = z.object({
  path: z.string(),
  /** `Name <address>`; null if git has none. */
  by: z.string().nullable(),
  at: time,
  /** When the file was let in again; absent as long as it is left out. */
  takenIn: time.exactOptional(),
});
export type LeftOut = Entity<typeof leftOutSchema>;

interface Leaving {
  readonly options: { readonly leaveOut?: readonly LeftOut[] };
}

/** By path, of all runs of the attempt. */
export function leftOutBy(runs: readonly Leaving[]): readonly LeftOut[] {
  const all = runs.flatMap(({ options }) => options.leaveOut ?? []);
  const standing = all.filter(({ takenIn }) => takenIn === undefined);
  return [...new Map(standing.map((one) => [one.path, one])).values()];
}
