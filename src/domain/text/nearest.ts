/** Finds the known words that were probably meant. */

/**
 * The word of `known` nearest to `word`, or null if none is near. A word is near if few of its letters differ, or if it
 * begins with `word`. Capitals and small letters are the same.
 */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const meant = word.toLowerCase();
  const near = known.flatMap((candidate) => {
    const distance = editDistance(meant, candidate.toLowerCase());
    if (distance <= maxEdits(Math.min(meant.length, candidate.length))) return [{ candidate, distance }];
    return isBeginning(meant, candidate.toLowerCase()) ? [{ candidate, distance }] : [];
  });
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.candidate ?? null;
}

/** At most five of `known`, the nearest first, however far they are. */
export function nearestWords(word: string, known: readonly string[]): readonly string[] {
  const meant = word.toLowerCase();
  return known
    .map((candidate) => ({ candidate, distance: editDistance(meant, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 5)
    .map(({ candidate }) => candidate);
}

/** In a short word two other letters make another word. In a long one a third of them may be mistyped. */
function maxEdits(letters: number): number {
  if (letters < 3) return 0;
  return letters < 5 ? 1 : Math.max(2, Math.floor(letters / 3));
}

/** One letter is the beginning of too many words. */
function isBeginning(word: string, whole: string): boolean {
  return word.length > 1 && whole.startsWith(word);
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
