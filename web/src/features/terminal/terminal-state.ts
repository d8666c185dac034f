/** Lets the screen put the focus into its terminal, which is loaded on its own. */

const FOCUS = "tazuna-focus-terminal";

export function focusTerminal(): void {
  dispatchEvent(new Event(FOCUS));
}

/** Returns what ends it. */
export function onFocusTerminal(focus: () => void): () => void {
  addEventListener(FOCUS, focus);
  return () => removeEventListener(FOCUS, focus);
}
