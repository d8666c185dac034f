/** Gives the focus to the card of a task once the board shows it. It stays there while the card changes its column. */

import { leaveBy } from "../fleet/came-from.ts";

const LONGEST_MS = 5_000;

export function focusCard(task: string): void {
  leaveBy({ attempt: null, task });
  const focus = () => {
    // Whoever acts meanwhile keeps the focus.
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`[data-task="${CSS.escape(task)}"]`)?.focus();
  };
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  focus();
  const watch = new MutationObserver(focus);
  watch.observe(document.body, { childList: true, subtree: true });
  const end = () => {
    clearTimeout(timer);
    watch.disconnect();
    removeEventListener("keydown", end);
    removeEventListener("pointerdown", end);
  };
  const timer = setTimeout(end, LONGEST_MS);
  addEventListener("keydown", end);
  addEventListener("pointerdown", end);
}
