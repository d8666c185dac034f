/** Finds the file name that is being typed after an `@`, and puts the chosen one in its place. */

export interface Mention {
  /** Where the `@` stands. */
  readonly at: number;
  /** What follows it, up to the caret. */
  readonly query: string;
}

/** Null if the caret is not in a name. An `@` within a word, such as in an address, begins none. */
export function mentionIn(text: string, caret: number): Mention | null {
  const found = /(?:^|[\s(「、。])@([^\s@]*)$/.exec(text.slice(0, caret));
  if (found === null) return null;
  const query = found[1] ?? "";
  return { at: caret - query.length - 1, query };
}

/** The text with the file in place of the mention, and where the caret is then. */
export function withFile(
  text: string,
  { at, query }: Mention,
  path: string,
): { readonly text: string; readonly caret: number } {
  const after = text.slice(at + 1 + query.length);
  const gap = /^\s/.test(after) ? "" : " ";
  return { text: `${text.slice(0, at)}${path}${gap}${after}`, caret: at + path.length + 1 };
}
