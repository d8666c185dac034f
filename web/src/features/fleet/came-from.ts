/** Remembers the card that a person left the board by, and gives it the focus when they are back. */
import { type RefObject, useEffect } from "react";

interface Left {
  /** Null: any attempt of the task. */
  readonly attempt: string | null;
  readonly task: string;
}

/** For the page, not for the screen: the screen is gone meanwhile. */
let left: Left | null = null;

export function leaveBy(place: Left): void {
  left = place;
}

/** Whatever within a card got the focus. */
function noteFocused({ target }: FocusEvent): void {
  const card = target instanceof Element ? target.closest<HTMLElement>("[data-card]") : null;
  const { card: attempt, task } = card?.dataset ?? {};
  if (attempt !== undefined && task !== undefined) leaveBy({ attempt, task });
}

/** The place among cards of the one to come back to; -1 if it is not there. A long list scrolls to it first. */
export function indexOfLeft(cards: readonly { readonly attempts: readonly string[] }[]): number {
  const attempt = left?.attempt;
  return attempt == null ? -1 : cards.findIndex(({ attempts }) => attempts.includes(attempt));
}

const MOST_FRAMES = 20;

/** Also if the attempt stands in another column by now. Whoever has the focus already keeps it. */
export function useReturnFocus(board: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = board.current;
    root?.addEventListener("focusin", noteFocused);
    return () => root?.removeEventListener("focusin", noteFocused);
  }, [board]);
  useEffect(() => {
    let tries = 0;
    const look = () => {
      if (left === null || document.activeElement !== document.body) return;
      const card = cardOf(left);
      tries += 1;
      if (card !== null) card.focus();
      else if (tries < MOST_FRAMES) frame = requestAnimationFrame(look);
    };
    let frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, []);
}

function cardOf({ attempt, task }: Left): HTMLElement | null {
  const own = attempt === null ? null : CSS.escape(attempt);
  const found = [
    ...(own === null ? [] : [`[data-card="${own}"]`, `[data-attempts~="${own}"]`]),
    `[data-task="${CSS.escape(task)}"]`,
  ].flatMap((selector) => [...document.querySelectorAll<HTMLElement>(selector)]);
  // A small screen shows one column.
  return found.find((card) => card.offsetParent !== null) ?? null;
}
