/** Joins words to a list in a sentence. */

/** `one`, `one and two`, `one, two and three`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** The first `max` of them, and how many more there are. */
export function someOf(words: readonly string[], max: number): string {
  const more = words.length - max;
  return words.slice(0, max).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
