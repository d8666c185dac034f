/** Names the file in which a proxy records, line by line, the places that it refused, and counts them. */

/** In the folder of the proxy's socket. */
export const REFUSED_FILE = "refused.txt";

/** How often each place was requested, in order of the first request. */
export function countRefused(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) if (line !== "") counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
