/** Lists the attempts that changed their state while a person was away. */
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { setPreferences } from "../../data/preferences.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { StateLine } from "../attempts/state-line.tsx";

const MOST = 8;

interface AwayListProps {
  readonly since: string;
  /** The newest first. */
  readonly changed: readonly AttemptCard[];
  readonly onClose: () => void;
}

export function AwayList({ since, changed, onClose }: AwayListProps) {
  const { t } = useTranslation("fleet");
  const { clock } = useFormat();
  const close = () => {
    setPreferences({ lookedAt: new Date().toISOString() });
    onClose();
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
