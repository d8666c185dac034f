/** Keeps the first characters of a text, never half of one. */

/** At most `most` UTF-16 units; a surrogate pair that the cut would split is left out whole. */
export function cutText(text: string, most: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= most) return { text, cut: false };
  const last = text.charCodeAt(most - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return { text: text.slice(0, splits ? most - 1 : most), cut: true };
}
