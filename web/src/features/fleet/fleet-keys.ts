/** Walks the cards of the fleet by keys, and presses what a card offers. The focus of the page is the only state. */
import { COLUMNS, type Column } from "@contract/words/present-card.ts";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { NUMBER_KEYS } from "../../data/keys/key-table.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { copyWords, openOutside } from "../attempts/outside.ts";
import { type KeyBinding, useKeys } from "../keys/keys.ts";
import { mayGo, type useSelection } from "./selection.tsx";
import { useStopCard } from "./stop-card.ts";

export function useFleetKeys(options: {
  readonly cards: readonly AttemptCard[];
  readonly selection: ReturnType<typeof useSelection>;
  /** The table walks its groups itself. */
  readonly isTable: boolean;
  readonly onToggleView: () => void;
}): void {
  const { t } = useTranslation("keys");
  const navigate = useNavigate();
  const stop = useStopCard(options.cards);
  const press = (act: string) => () =>
    focusedCard()?.querySelector<HTMLButtonElement>(`[data-act=${act}]`)?.click();
  const bindings: readonly KeyBinding[] = [
    { spec: "j", words: t("move"), run: () => step(1), inBar: true },
    { spec: "k", words: t("move"), run: () => step(-1), inBar: true },
    ...(options.isTable ? [] : columnKeys(t("column"))),
    {
      spec: "enter",
      words: t("open"),
      inBar: true,
      run: () => {
        const card = focusedCard();
        if (card?.dataset.card) void navigate({ to: "/attempts/$id", params: { id: card.dataset.card } });
      },
    },
    {
      spec: "a",
      words: t("suggested"),
      inBar: true,
      run: () => {
        const box = focusedCard()?.querySelector<HTMLElement>("textarea");
        if (box) box.focus();
        else press("suggested")();
      },
    },
    { spec: "d", asks: "answer", words: t("deny"), run: press("deny"), inBar: true },
    {
      spec: "r",
      asks: "followUp",
      words: t("write"),
      inBar: true,
      run: () => {
        const card = focusedCard();
        const box = card?.querySelector<HTMLElement>("textarea");
        if (box) box.focus();
        else if (card?.querySelector("[data-act=write]")) press("write")();
        else if (card?.dataset.card)
          void navigate({ to: "/attempts/$id", params: { id: card.dataset.card }, search: { write: "1" } });
      },
    },
    {
      spec: "s",
      asks: "stop",
      words: t("stop"),
      run: () => stop(idsOf(focusedCard())),
    },
    { spec: "v", words: t("review"), run: () => goFrom("/attempts/$id/review") },
    { spec: "S", words: t("ship"), run: () => goFrom("/attempts/$id/ship") },
    {
      spec: "=",
      words: t("compare"),
      run: () => {
        const id = focusedCard()?.dataset.task;
        if (id !== undefined) void navigate({ to: "/tasks/$id", params: { id } });
      },
    },
    { spec: "t", words: t("toggleView"), run: options.onToggleView, inBar: true },
    {
      spec: "/",
      words: t("filter"),
      run: () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
    },
  ];
  useKeys([...bindings, ...useThingKeys(options.cards), ...useSelectionKeys(options)]);

  function goFrom(to: "/attempts/$id/review" | "/attempts/$id/ship"): void {
    const id = focusedCard()?.dataset.card;
    if (id !== undefined) void navigate({ to, params: { id } });
  }
}

const columnKeys = (words: string): readonly KeyBinding[] => [
  { spec: "h", words, run: () => stepColumn(-1), inBar: true },
  { spec: "l", words, run: () => stepColumn(1), inBar: true },
  ...NUMBER_KEYS.map((spec, index) => ({ spec, words, run: () => focusColumn(index) })),
];

/** Takes what has the focus out of the page. */
function useThingKeys(cards: readonly AttemptCard[]): readonly KeyBinding[] {
  const { t } = useTranslation("keys");
  const focused = () => cards.find(({ attempt }) => attempt.id === focusedCard()?.dataset.card);
  return [
    {
      spec: "o",
      words: t("openOutside"),
      run: () => {
        const of = focused();
        if (of !== undefined) openOutside(of);
      },
    },
    {
      spec: "y",
      words: t("copy"),
      run: () => {
        const of = focused();
        if (of !== undefined) void copyWords(of.attempt.branch);
      },
    },
  ];
}

function useSelectionKeys({
  cards,
  selection,
}: Pick<Parameters<typeof useFleetKeys>[0], "cards" | "selection">): readonly KeyBinding[] {
  const { t } = useTranslation("keys");
  const extend = (by: 1 | -1) => () => {
    const from = focusedCard();
    step(by);
    selection.add([...idsOf(from), ...idsOf(focusedCard())]);
  };
  return [
    { spec: "x", words: t("select"), run: () => selection.toggle(idsOf(focusedCard())) },
    { spec: "J", words: t("extend"), run: extend(1) },
    { spec: "K", words: t("extend"), run: extend(-1) },
    { spec: "A", words: t("selectAll"), run: () => selection.add(mayGo(cards)) },
    {
      spec: "mod+backspace",
      asks: "cancel",
      words: t("trash"),
      inBar: selection.chosen.size > 0,
      run: () => document.querySelector<HTMLButtonElement>("[data-act=move_selection]")?.click(),
    },
    { spec: "escape", words: t("back"), run: selection.clear, when: () => selection.chosen.size > 0 },
  ];
}

/** The attempts of a card. */
export function idsOf(card: HTMLElement | null): readonly string[] {
  return card?.dataset.attempts?.split(" ") ?? [];
}

function focusedCard(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>("[data-card]") ?? null;
}

function cardsIn(place: ParentNode): readonly HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>("[data-card]")];
}

/** Without a focus, the first card that needs a person, else the first card. */
function step(by: 1 | -1): void {
  const card = focusedCard();
  if (card === null) {
    const first = document.querySelector<HTMLElement>("[data-column=needs] [data-card]");
    (first ?? document.querySelector<HTMLElement>("[data-card]"))?.focus();
    return;
  }
  const cards = cardsIn(card.closest("[data-column], tbody") ?? document);
  cards[cards.indexOf(card) + by]?.focus();
}

/** To the next column that has a card. */
function stepColumn(by: 1 | -1): void {
  const columns = [...document.querySelectorAll<HTMLElement>("[data-column]")];
  const from = columns.findIndex((column) => column.contains(document.activeElement));
  const next = by === 1 ? columns.slice(from + 1) : columns.slice(0, Math.max(0, from)).toReversed();
  enter(next.find((column) => cardsIn(column).length > 0));
}

/** The column that the address names gets the focus on a board that shows all of them. */
export function useNamedColumn(column: Column | undefined, isThere: boolean): void {
  useEffect(() => {
    if (column !== undefined && isThere && matchMedia("(min-width: 1024px)").matches)
      focusColumn(COLUMNS.indexOf(column));
  }, [column, isThere]);
}

function focusColumn(index: number): void {
  enter(document.querySelectorAll<HTMLElement>("[data-column]")[index]);
}

/** A column that is folded, or behind a tab, is shown first. */
function enter(column: HTMLElement | undefined): void {
  const card = column && cardsIn(column)[0];
  if (column === undefined || card === undefined) return;
  if (card.checkVisibility()) {
    card.focus();
    return;
  }
  const doors = document.querySelectorAll<HTMLElement>(`[data-shows="${column.dataset.column}"]`);
  [...doors].find((door) => door.checkVisibility())?.click();
  focusOnceShown(column, FRAMES);
}

/** The column is drawn anew within so many frames. */
const FRAMES = 30;

function focusOnceShown(column: HTMLElement, frames: number): void {
  const card = cardsIn(column)[0];
  if (card?.checkVisibility()) card.focus();
  else if (frames > 0) requestAnimationFrame(() => focusOnceShown(column, frames - 1));
}
