/** Says in words what was taken of an attempt. */

/** Such as `src/a.ts`, or `src/a.ts (hunks 1, 3)`. A name that would not stand on one line is quoted. */
export function takenWords({
  path,
  hunks,
}: {
  readonly path: string;
  readonly hunks: readonly number[] | null;
}): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be quoted.
  const name = /[\x00-\x1f\x7f"]|^\s|\s$/.test(path) ? JSON.stringify(path) : path;
  if (hunks === null) return name;
  return `${name} (${hunks.length === 1 ? "hunk" : "hunks"} ${hunks.join(", ")})`;
}
