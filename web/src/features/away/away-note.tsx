/** While you were away: one line for each attempt that changed its state since this device last looked. */
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { preferences, setPreferences } from "../../data/preferences.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { StateLine } from "../attempts/state-line.tsx";

/** A shorter absence is none. */
const AWAY_MS = 5 * 60_000;
const MOST = 8;

export function AwayNote({ cards }: { readonly cards: readonly AttemptCard[] }) {
  const { t } = useTranslation("fleet");
  const { clock } = useFormat();
  const [since, setSince] = useState(awaySince);
  useReturn(setSince);
  const changed = since === null ? [] : changedSince(cards, since);
  if (since === null || changed.length === 0) return null;
  const close = () => {
    setPreferences({ lookedAt: new Date().toISOString() });
    setSince(null);
    document.getElementById("main")?.focus();
  };
  return (
    <section
      aria-label={t("away")}
      className="flex flex-col gap-1 border-b border-line bg-accent-soft px-3 py-2"
    >
      <header className="flex items-center gap-2">
        <h2 className="text-small">{t("away")}</h2>
        <span className="text-fine text-ink-2">{clock(since)}</span>
        <span className="ml-auto">
          <Button size="small" kind="quiet" onClick={close}>
            {t("awayClose")}
          </Button>
        </span>
      </header>
      <ul className="flex flex-col">
        {changed.slice(0, MOST).map((each) => (
          <li key={each.attempt.id} className="flex min-w-0 items-center gap-3 text-small">
            <span className="w-56 flex-none max-sm:w-36">
              <StateLine of={each} />
            </span>
            <Link to="/attempts/$id" params={{ id: each.attempt.id }} className="truncate hover:underline">
              <bdi>{cleanLine(each.task.title)}</bdi>
            </Link>
            <span className="ml-auto text-fine text-ink-3">{clock(each.card.since)}</span>
          </li>
        ))}
        {changed.length > MOST && <li className="text-fine text-ink-3">+{changed.length - MOST}</li>}
      </ul>
    </section>
  );
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
