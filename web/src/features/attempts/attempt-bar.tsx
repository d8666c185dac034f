/** The bar of an attempt's screens: its siblings by letter, and the ways to compare and ship. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { StateSign } from "../../ui/state-sign.tsx";
import type { AttemptCard } from "./cards.ts";
import { useStateWords } from "./state-line.tsx";

interface Of {
  readonly shown: AttemptCard;
  readonly siblings: readonly AttemptCard[];
}

export function SiblingLinks({ shown, siblings }: Of) {
  const { t } = useTranslation("fleet");
  const words = useStateWords();
  if (siblings.length < 2) return null;
  return (
    <nav aria-label={t("siblings")} className="segmented min-w-0 overflow-x-auto lg:ml-2">
      {siblings.map((each) => (
        <Link
          key={each.attempt.id}
          ref={each.attempt.id === shown.attempt.id ? intoSight : null}
          to="/attempts/$id"
          params={{ id: each.attempt.id }}
          aria-current={each.attempt.id === shown.attempt.id ? "page" : undefined}
          aria-label={`${each.letter}: ${words(each)}`}
        >
          <span className={`family-${each.card.family}`}>
            <StateSign sign={each.card.sign} size={13} />
          </span>
          {each.letter}
        </Link>
      ))}
    </nav>
  );
}

/** Of many siblings, the one that is shown is in sight. */
function intoSight(link: HTMLElement | null): void {
  const all = link?.parentElement;
  if (link != null && all != null) all.scrollLeft = link.offsetLeft - all.offsetLeft - all.clientWidth / 2;
}

export function AttemptActs({ shown, siblings }: Of) {
  const { t } = useTranslation("shell");
  return (
    <span className="flex gap-2 max-md:hidden">
      {siblings.length > 1 && (
        <Link to="/tasks/$id" params={{ id: shown.task.id }} className="button">
          {t("compare")} <KeyCap spec="=" />
        </Link>
      )}
      <Link to="/attempts/$id/ship" params={{ id: shown.attempt.id }} className="button">
        {t("ship")} <KeyCap spec="S" />
      </Link>
    </span>
  );
}
