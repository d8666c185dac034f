/** Gives the focus to the card of a task, once the board shows it. */

const LONGEST_MS = 2_000;

export function focusCard(task: string): void {
  const focus = () => {
    const card = document.querySelector<HTMLElement>(`[data-task="${CSS.escape(task)}"]`);
    card?.focus();
    return card !== null;
  };
  if (focus()) return;
  const watch = new MutationObserver(() => {
    if (focus()) watch.disconnect();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), LONGEST_MS);
}
