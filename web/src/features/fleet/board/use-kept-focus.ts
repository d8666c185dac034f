/** Keeps the focus on the board when its card leaves a column: it goes to the next card there, never to the top. */
import { type RefObject, useEffect, useRef } from "react";

interface Place {
  /** What had the focus: the card, or something within it. */
  readonly element: HTMLElement;
  readonly card: string;
  readonly column: string;
  readonly index: number;
}

/** Looks after each change of `board`, which stands for what the element shows. */
export function useKeptFocus(element: RefObject<HTMLElement | null>, board: unknown): void {
  const last = useRef<Place | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      last.current = target instanceof HTMLElement ? placeOf(target) : null;
    };
    // A card that is taken away tells of no blur, but leaves the focus with the page.
    const forget = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) last.current = null;
    };
    const root = element.current;
    root?.addEventListener("focusin", note);
    root?.addEventListener("focusout", forget);
    return () => {
      root?.removeEventListener("focusin", note);
      root?.removeEventListener("focusout", forget);
    };
  }, [element]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board stands for what is shown.
  useEffect(() => {
    const place = last.current;
    if (place === null || document.activeElement !== document.body) return;
    // A card that moves within its column loses the focus, and words that are being typed would become keys.
    if (place.element.isConnected) return place.element.focus();
    const cards = cardsOf(place.column);
    const next = cards[Math.min(place.index, cards.length - 1)];
    if (next !== undefined) return next.focus();
    // Elsewhere it may share the card of a sibling.
    document.querySelector<HTMLElement>(`[data-attempts~="${place.card}"]`)?.focus();
    // The focus stays with it if it goes on from there: nobody chose the cards of that column.
    last.current = place;
  }, [board]);
}

function placeOf(target: HTMLElement): Place | null {
  const card = target.closest<HTMLElement>("[data-card]");
  const column = card?.closest<HTMLElement>("[data-column]")?.dataset.column;
  if (card?.dataset.card === undefined || column === undefined) return null;
  return { element: target, card: card.dataset.card, column, index: cardsOf(column).indexOf(card) };
}

function cardsOf(column: string): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-column=${column}] [data-card]`)];
}
