/** Knows the file in which a proxy writes down, line by line, where it let nobody go. */

/** In the folder of the proxy's socket. */
export const REFUSED_FILE = "refused.txt";

/** By place, in the order in which they were asked for: how often. */
export function countRefused(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) if (line !== "") counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
