/** Marks the comments that Tazuna writes on a forge: the mark decides whose they are, never the author. */

const MARK = "<!-- tazuna -->";

export function markComment(text: string): string {
  return `${MARK}\n${text}`;
}

/** The words without the mark, and whether they had it. */
export function readComment(body: string): { readonly body: string; readonly ours: boolean } {
  if (!body.startsWith(MARK)) return { body, ours: false };
  return { body: body.slice(MARK.length).replace(/^\r?\n/, ""), ours: true };
}
