/** Tells keys that belong to the conversion of what is being typed, such as of Japanese. */

/**
 * Safari tells the end of the conversion before the key that ended it: that Enter or Escape says of itself only that an
 * input method took it (229).
 */
export function isComposing(event: { readonly isComposing: boolean; readonly keyCode: number }): boolean {
  return event.isComposing || event.keyCode === TAKEN;
}

const TAKEN = 229;
