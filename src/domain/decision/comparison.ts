/** Compares attempts: in which paths they overlap, whether the results are the same, and their letters. */

/** By path: what an attempt left there, as git names it (mode and object); null if it deleted the file. */
export type Results = ReadonlyMap<string, string | null>;

/** How one attempt overlaps with another. All null if the files of one of them are not known. */
export interface Overlap {
  /** The other one. */
  readonly attempt: string;
  /** How many paths both changed. */
  readonly files: number | null;
  /** In how many of them both left the same. */
  readonly identical: number | null;
  /** The first of those paths. */
  readonly paths: readonly { readonly path: string; readonly identical: boolean }[] | null;
}

/** The most paths of one overlap that are named; the numbers count all. */
export const MAX_NAMED = 1000;

/** For each attempt, its overlap with each other one. */
export function overlapsOf(
  results: ReadonlyMap<string, Results | null>,
): ReadonlyMap<string, readonly Overlap[]> {
  const overlaps = new Map([...results.keys()].map((id) => [id, [] as Overlap[]]));
  for (const [id, own] of results)
    for (const [other, theirs] of results)
      if (other !== id) overlaps.get(id)?.push(overlapOf(own, { id: other, results: theirs }));
  return overlaps;
}

function overlapOf(
  own: Results | null,
  other: { readonly id: string; readonly results: Results | null },
): Overlap {
  if (own === null || other.results === null)
    return { attempt: other.id, files: null, identical: null, paths: null };
  const paths: { path: string; identical: boolean }[] = [];
  let [files, identical] = [0, 0];
  for (const [path, result] of own) {
    const theirs = other.results.get(path);
    if (theirs === undefined) continue;
    files += 1;
    if (theirs === result) identical += 1;
    if (files <= MAX_NAMED) paths.push({ path, identical: theirs === result });
  }
  return { attempt: other.id, files, identical, paths };
}

/**
 * A, B, C… by id, which is random. Attempts that came later come last, so that no letter changes. Those of the task
 * itself were all made at one time.
 */
export function lettersOf(
  attempts: readonly { readonly id: string; readonly createdAt: string }[],
): ReadonlyMap<string, string> {
  const key = ({ id, createdAt }: { readonly id: string; readonly createdAt: string }) =>
    `${createdAt} ${id}`;
  const sorted = attempts.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  return new Map(sorted.map(({ id }, at) => [id, letterOf(at)]));
}

/** A to Z, then AA, AB… */
function letterOf(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : `${letterOf(Math.floor(at / 26) - 1)}${last}`;
}
