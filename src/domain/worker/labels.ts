/** Says what a worker is good for, in words that people choose, such as `gpu` or `os=mac` (ADR 0102). */

const SHAPE = /^[A-Za-z0-9][\w.=/-]{0,39}$/;
export const MOST_LABELS = 20;

/** What a word has to be to be a label. */
export const LABEL_RULE = "is no label: letters, digits and . = / - _, at most 40 in all";

export function isLabel(word: string): boolean {
  return SHAPE.test(word);
}

/** Whether a worker with these labels may begin what asks for those. */
export function hasLabels(own: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((label) => own.includes(label));
}
