/** Says what Escape does on a screen with boxes: it leaves the box that has the focus, else the screen. */
import type { KeyBinding } from "./keys.ts";

export function escapeKey(words: string, leave: () => void): KeyBinding {
  return {
    spec: "escape",
    words,
    whileTyping: true,
    inBar: true,
    run: () => {
      const focus = document.activeElement;
      if (focus instanceof HTMLElement && focus.matches("input, textarea, select")) focus.blur();
      else leave();
    },
  };
}
