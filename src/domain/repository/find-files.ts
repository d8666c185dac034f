/** Finds the files that a person probably means by a few typed letters. */

interface Ranked {
  readonly path: string;
  readonly rank: number;
}

/** At most `limit`: names that begin so come first, then names that contain it, then paths; shorter ones first. */
export function findFiles(
  paths: readonly string[],
  { query, limit }: { readonly query: string; readonly limit: number },
): readonly string[] {
  const wanted = query.toLowerCase();
  // A repository may have 200,000 files, so that only the best ones are kept in order.
  const best: Ranked[] = [];
  for (const path of paths) {
    const rank = rankOf(path.toLowerCase(), wanted);
    if (rank === null) continue;
    const found = { path, rank };
    const last = best.at(-1);
    if (best.length >= limit && last !== undefined && compare(found, last) >= 0) continue;
    const place = best.findIndex((other) => compare(found, other) < 0);
    best.splice(place < 0 ? best.length : place, 0, found);
    if (best.length > limit) best.pop();
  }
  return best.map(({ path }) => path);
}

function compare(one: Ranked, other: Ranked): number {
  return one.rank - other.rank || one.path.length - other.path.length || (one.path < other.path ? -1 : 1);
}

function rankOf(path: string, wanted: string): number | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  return path.includes(wanted) ? 2 : null;
}
