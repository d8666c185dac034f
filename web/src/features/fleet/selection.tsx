/** Holds which attempts of the fleet are selected. It lives as long as the screen. */
import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from "react";
import type { AttemptCard } from "../attempts/cards.ts";

interface CardSelection {
  readonly chosen: ReadonlySet<string>;
  /** Takes these in; if all of them are in, out. */
  readonly toggle: (ids: readonly string[]) => void;
  readonly add: (ids: readonly string[]) => void;
  readonly remove: (ids: readonly string[]) => void;
  readonly clear: () => void;
}

const NOTHING = {
  chosen: new Set<string>(),
  toggle: () => {},
  add: () => {},
  remove: () => {},
  clear: () => {},
};
const Context = createContext<CardSelection>(NOTHING);

export const useSelection = (): CardSelection => useContext(Context);

export function SelectionProvider(props: {
  readonly cards: readonly AttemptCard[];
  readonly children: ReactNode;
}) {
  const { cards } = props;
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set());
  const free = useSameSet(new Set(cards.filter(canBeChosen).map(({ attempt }) => attempt.id)));
  // Every card reads it, so it stays the same object while nothing that can be chosen comes or goes.
  const selection = useMemo((): CardSelection => {
    const chosen = held.intersection(free);
    return {
      chosen,
      toggle: (ids) => {
        const given = new Set(ids).intersection(free);
        setHeld(given.isSubsetOf(chosen) ? chosen.difference(given) : chosen.union(given));
      },
      add: (ids) => setHeld(chosen.union(new Set(ids).intersection(free))),
      remove: (ids) => setHeld((now) => now.difference(new Set(ids))),
      clear: () => setHeld(new Set()),
    };
  }, [free, held]);
  return <Context value={selection}>{props.children}</Context>;
}

/** The set of before while it holds the same. */
function useSameSet(now: ReadonlySet<string>): ReadonlySet<string> {
  const before = useRef(now);
  if (before.current.symmetricDifference(now).size > 0) before.current = now;
  return before.current;
}

/** What works or waits is not moved away, and what is in the trash is there already. */
export function canBeChosen({ attempt, card }: AttemptCard): boolean {
  const isAway = attempt.state === "removed" || attempt.state === "canceled";
  return !isAway && card.column !== "working" && card.column !== "queued" && card.run?.question == null;
}

/** All that are over. */
export const mayGo = (cards: readonly AttemptCard[]): readonly string[] =>
  cards.filter((of) => of.card.column === "done" && canBeChosen(of)).map(({ attempt }) => attempt.id);
