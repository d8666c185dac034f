/** Walks the rows of a screen by keys. The focus of the page is the only state. */

const ROWS = "[data-row]";

export function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(ROWS) ?? null;
}

/** To the next or the previous row; to the first one if none has the focus. Gives that row. */
export function stepRow(by: 1 | -1): HTMLElement | null {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const now = focusedRow();
  const next = now === null ? rows[0] : rows[rows.indexOf(now) + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return next ?? null;
}
