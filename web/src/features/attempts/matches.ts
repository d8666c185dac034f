/** Tells whether a text holds what a person filters a list by. */

/** Every word is in its text. */
export function matches(text: string, words: string): boolean {
  const inside = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => inside.includes(word));
}
