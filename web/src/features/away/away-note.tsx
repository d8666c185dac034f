/** While you were away: one line for each attempt that changed its state since this device last looked. */
import { useEffect, useState } from "react";
import { preferences } from "../../data/preferences.ts";
import { part } from "../../ui/loaded/part.tsx";
import type { AttemptCard } from "../attempts/cards.ts";

/** A shorter absence is none. */
const AWAY_MS = 5 * 60_000;

/** Nearly never shown, so it is loaded when it is. */
const AwayList = part(async () => (await import("./away-list.tsx")).AwayList);

export function AwayNote({ cards }: { readonly cards: readonly AttemptCard[] }) {
  const [since, setSince] = useState(awaySince);
  useReturn(setSince);
  const changed = since === null ? [] : changedSince(cards, since);
  if (since === null || changed.length === 0) return null;
  return <AwayList since={since} changed={changed} onClose={() => setSince(null)} />;
}

/** When this device looked last, if that is a while ago. */
function awaySince(): string | null {
  const { lookedAt } = preferences();
  return lookedAt !== null && Date.now() - Date.parse(lookedAt) > AWAY_MS ? lookedAt : null;
}

function changedSince(cards: readonly AttemptCard[], since: string): readonly AttemptCard[] {
  return cards
    .filter(({ card }) => card.since > since)
    .toSorted((one, other) => other.card.since.localeCompare(one.card.since));
}

/** A page may stay open while its person is away. */
function useReturn(setSince: (since: string) => void): void {
  useEffect(() => {
    const look = () => {
      const since = document.hidden ? null : awaySince();
      if (since !== null) setSince(since);
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [setSince]);
}
