/** Reads git's report of a changed file: the letter of its change, and how many lines it gained or lost. */

/**
 * The kinds of a file's change, by git's letter (`git status`, `git diff --raw`); conflicts are reported in another
 * way.
 */
export const CHANGES = {
  M: "modified",
  T: "type_changed",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
} as const;

export type Change = (typeof CHANGES)[keyof typeof CHANGES];

/** Null for any other letter. */
export function changeOf(letter: string): Change | null {
  return Object.hasOwn(CHANGES, letter) ? CHANGES[letter as keyof typeof CHANGES] : null;
}

/** A number of `git diff --numstat`; null for the dash of a binary file. */
export function lineCountOf(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null;
}
