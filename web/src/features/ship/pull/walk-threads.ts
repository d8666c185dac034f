/** Walks the threads of a pull request by keys. The focus of the page is the only state. */

export function focusedThread(): string | null {
  return document.activeElement?.closest<HTMLElement>("[data-thread]")?.dataset.thread ?? null;
}

/** To the next one; from the last one to the first. */
export function stepThread(): void {
  const threads = [...document.querySelectorAll<HTMLElement>("[data-thread]")];
  const at = threads.findIndex((thread) => thread.contains(document.activeElement));
  const next = threads[at + 1] ?? threads[0];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
