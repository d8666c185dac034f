/** Finds the files that a person probably means by a few typed letters. */

/** At most `limit`: names that begin so come first, then names that contain it, then paths; shorter ones first. */
export function findFiles(
  paths: readonly string[],
  { query, limit }: { readonly query: string; readonly limit: number },
): readonly string[] {
  const wanted = query.toLowerCase();
  const ranked: { readonly path: string; readonly rank: number }[] = [];
  for (const path of paths) {
    const rank = rankOf(path.toLowerCase(), wanted);
    if (rank !== null) ranked.push({ path, rank });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, limit)
    .map(({ path }) => path);
}

function rankOf(path: string, wanted: string): number | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  return path.includes(wanted) ? 2 : null;
}
