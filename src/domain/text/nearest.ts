/** Finds the known word that was probably meant. */

/** The word of `known` nearest to `word`, or null where none is near enough to be meant (a third of its letters differ). */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const most = Math.max(2, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate ?? null;
}

/** Levenshtein distance, a transposition of neighbours counting one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const transposition =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? (beforeLast[column - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY;
      current.push(
        Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution, transposition),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
