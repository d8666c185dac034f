/** Compares versions as semantic versioning orders them. */

/** Below zero if `one` is older, above if it is newer; null if either is not a version. */
export function compareVersions(one: string, other: string): number | null {
  const [a, b] = [parsed(one), parsed(other)];
  if (a === null || b === null) return null;
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

interface Version {
  readonly numbers: readonly number[];
  /** Empty for a release, which is newer than its prereleases. */
  readonly prerelease: readonly string[];
}

function parsed(text: string): Version | null {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text);
  if (match === null) return null;
  return { numbers: match.slice(1, 4).map(Number), prerelease: match[4]?.split(".") ?? [] };
}

function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  for (const [index, part] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    if (part !== against) return compareParts(part, against);
  }
  return one.length - other.length;
}

/** Numbers by their value and before words. */
function compareParts(one: string, other: string): number {
  const isNumber = (part: string) => /^\d+$/.test(part);
  if (isNumber(one) && isNumber(other)) return Number(one) - Number(other);
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? -1 : 1;
  return one < other ? -1 : 1;
}
