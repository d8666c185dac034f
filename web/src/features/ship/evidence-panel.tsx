/** Why this attempt: which others there were, and the reason of the choice. */
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { LineCounts } from "../attempts/numbers.tsx";
import { useStateWords } from "../attempts/state-line.tsx";
import { Panel } from "./panel.tsx";

export function EvidencePanel(props: {
  readonly shown: AttemptCard;
  readonly siblings: readonly AttemptCard[];
}) {
  const { t } = useTranslation("ship");
  const stateWords = useStateWords();
  const { shown, siblings } = props;
  const decision = shown.task.decision;
  const others = siblings.filter(({ attempt }) => attempt.id !== shown.attempt.id);
  const chosen = others.find(({ attempt }) => attempt.id === decision?.attempt);
  const isChosen = decision?.attempt === shown.attempt.id;
  return (
    <Panel step="merge" title={t("evidence")} side={isChosen ? t("goesIn") : undefined}>
      {!isChosen || decision === null ? (
        <p className="flex items-center gap-2 text-small text-ink-2">
          {chosen === undefined ? t("noDecision") : t("otherChosen", { letter: chosen.letter })}
          {others.length > 0 && (
            <Link to="/tasks/$id" params={{ id: shown.task.id }} className="text-accent hover:underline">
              {t("compare")}
            </Link>
          )}
        </p>
      ) : (
        <dl className="facts grid-cols-[92px_minmax(0,1fr)]!">
          <dt>{t("chosenOver")}</dt>
          <dd>
            {others.length === 0 && <span className="text-ink-3">{t("nobodyElse")}</span>}
            {others.map((other, index) => (
              <span key={other.attempt.id}>
                {index > 0 && " · "}
                <b className="font-medium">{other.letter}</b>{" "}
                <span className="text-ink-3">
                  {other.attempt.agent},{" "}
                  {other.attempt.changes === null ? (
                    stateWords(other)
                  ) : (
                    <LineCounts
                      additions={other.attempt.changes.additions}
                      deletions={other.attempt.changes.deletions}
                    />
                  )}
                </span>
              </span>
            ))}
          </dd>
          <dt>{t("because")}</dt>
          <dd>
            <bdi>{cleanLine(decision.reason)}</bdi>
          </dd>
          {decision.tripwire !== null && (
            <>
              <dt>{t("tripwire")}</dt>
              <dd>
                <bdi>{cleanLine(decision.tripwire)}</bdi>
              </dd>
            </>
          )}
        </dl>
      )}
    </Panel>
  );
}
