/** Reads what git says of a changed file: the letter of its change, and how many lines it gained or lost. */

/** What a file can have come to, by git's letter for it (`git status`, `git diff --raw`); a conflict is told in another way. */
export const CHANGES = {
  M: "modified",
  T: "type_changed",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
} as const;

export type Change = (typeof CHANGES)[keyof typeof CHANGES];

/** Null for a letter that is none of them. */
export function changeOf(letter: string): Change | null {
  return Object.hasOwn(CHANGES, letter) ? CHANGES[letter as keyof typeof CHANGES] : null;
}

/** A number of `git diff --numstat`; null for the dash of a binary file. */
export function lineCountOf(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null;
}
