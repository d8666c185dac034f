/** Keeps a card where and as it is while a person types in it: its field must not go, nor the words become keys. */
import { COLUMNS, type Column } from "@contract/words/present-card.ts";
import { type FocusEvent, type MouseEvent, type SyntheticEvent, useMemo, useState } from "react";
import type { AttemptCard, Board, CardGroup } from "../../attempts/cards.ts";

interface HeldCard {
  readonly column: Column;
  readonly index: number;
  readonly group: CardGroup;
}

/**
 * `shown` is the board with the held card in it. `isHeld` says that there is one, also if `board` is empty by now.
 * `holding` belongs on an element around all cards: it sees where the focus goes.
 */
export function useHeldCard(board: Board) {
  const [held, setHeld] = useState<HeldCard | null>(null);
  const shown = useMemo(() => (held === null ? board : withHeld(board, held)), [board, held]);
  const hold = ({ target }: SyntheticEvent) => {
    const card = target instanceof Element && target.matches(TYPED_IN) ? cardOf(target) : undefined;
    if (card === undefined || card === attemptOf(held?.group)) return;
    setHeld(placeIn(shown, card));
  };
  const release = () => setHeld(null);
  const holding = {
    onFocus: hold,
    // What was sent may go, but the next words hold it again.
    onInput: hold,
    onSubmit: release,
    onClick: ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest("button")) release();
    },
    onBlur: ({ target, relatedTarget }: FocusEvent) => {
      // Another window has the focus: the field still has it in this one.
      if (document.activeElement === target) return;
      // Its buttons must stay under the pointer until they are pressed.
      const isInIt = relatedTarget instanceof Element && cardOf(relatedTarget) === attemptOf(held?.group);
      if (!isInIt || relatedTarget.matches("[data-card]")) release();
    },
  };
  return { shown, isHeld: held !== null, holding };
}

/** Radio buttons and the like change nothing by a letter. */
const TYPED_IN = "textarea, input:not([type=radio], [type=checkbox])";

/** The name of a card: its first attempt. */
function cardOf(element: Element): string | undefined {
  return element.closest<HTMLElement>("[data-card]")?.dataset.card;
}

const attemptOf = (group: CardGroup | undefined) => group?.cards[0]?.attempt.id;

function placeIn(board: Board, card: string): HeldCard | null {
  for (const column of COLUMNS) {
    const index = board[column].findIndex((group) => attemptOf(group) === card);
    const group = board[column][index];
    if (group !== undefined) return { column, index, group };
  }
  return null;
}

/** Its attempts stand in it alone, and it says what they have come to. */
function withHeld(board: Board, { column, index, group }: HeldCard): Board {
  const ids = new Set(group.cards.map(({ attempt }) => attempt.id));
  const now = COLUMNS.flatMap((each) => board[each].flatMap(({ cards }) => cards)).find(
    ({ attempt }) => attempt.id === attemptOf(group),
  );
  const others = COLUMNS.map((each) => [each, board[each].flatMap((of) => without(of, ids))] as const);
  const shown: Record<Column, readonly CardGroup[]> = Object.fromEntries(others) as unknown as Board;
  const there = shown[column].filter(({ key }) => key !== group.key);
  const kept = { ...group, held: cameTo(group.cards[0], now) };
  return { ...shown, [column]: there.toSpliced(index, 0, kept) };
}

function without(group: CardGroup, ids: ReadonlySet<string>): readonly CardGroup[] {
  const cards = group.cards.filter(({ attempt }) => !ids.has(attempt.id));
  if (cards.length === group.cards.length) return [group];
  return cards.length === 0 ? [] : [{ ...group, cards }];
}

/** What a person who types has to know: what is written may no longer be what the agent waits for. */
function cameTo(held: AttemptCard | undefined, now: AttemptCard | undefined): NonNullable<CardGroup["held"]> {
  if (now === undefined) return "changed";
  if (now.card.column !== held?.card.column) return now.card.column;
  const { run } = held.card;
  const isSame = run?.id === now.card.run?.id && run?.question?.id === now.card.run?.question?.id;
  return isSame ? "unchanged" : "changed";
}
