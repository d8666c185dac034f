/** Keeps the first characters of a text, and never half of one (seed 001 §3.2). */

/** At most `max` UTF-16 units. If the cut would split a surrogate pair, the whole pair is left out. */
export function cutText(text: string, max: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= max) return { text, cut: false };
  const last = text.charCodeAt(max - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return { text: text.slice(0, splits ? max - 1 : max), cut: true };
}
