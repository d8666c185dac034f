/** Keeps the first characters of a text, and never half of one. */

/** At most `most` UTF-16 units. If the cut would split a surrogate pair, the whole pair is left out. */
export function cutText(text: string, most: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= most) return { text, cut: false };
  const last = text.charCodeAt(most - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return { text: text.slice(0, splits ? most - 1 : most), cut: true };
}
