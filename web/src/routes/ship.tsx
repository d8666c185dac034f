/** Ship: the gate, the message, the pull request, the merge. */
import { cleanLine } from "@contract/text.ts";
import { Link, useParams } from "@tanstack/react-router";
import { useAttemptOfAddress } from "../features/attempts/use-attempt.ts";
import { PathTo, Screen } from "../features/shell/screen.tsx";
import { ShipView } from "../features/ship/ship-view.tsx";
import { useTranslation } from "../i18n/use-translation.tsx";
import { AgentMark } from "../ui/agent-mark.tsx";
import { KeyCap } from "../ui/key-cap.tsx";
import { Letter } from "../ui/letter.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";

export function ShipRoute() {
  const { t } = useTranslation("ship");
  const { id } = useParams({ from: "/attempts/$id/ship" });
  const { found, error } = useAttemptOfAddress(id);
  if (found === null)
    return (
      <Screen title={t("ship")}>
        <div className="p-4">
          {error === null ? <p className="text-ink-3">{t("loading")}</p> : <ProblemNote error={error} />}
        </div>
      </Screen>
    );
  const { shown, siblings } = found;
  const { attempt, task, letter } = shown;
  return (
    <Screen
      title={cleanLine(task.title)}
      crumbs={<PathTo repository={task.repository} />}
      beside={
        <span className="ml-1.5 flex min-w-0 max-w-1/2 flex-none items-center gap-2 max-sm:hidden">
          {siblings.length > 1 && <Letter letter={letter} solid />}
          <AgentMark executor={attempt.executor} agent={attempt.agent} model={attempt.model} />
          {attempt.chosen && <span className="chip flex-none family-ready">{t("chosen")}</span>}
        </span>
      }
      acts={
        <Link to="/attempts/$id/review" params={{ id }} className="button max-md:hidden">
          {t("review")}
          <KeyCap spec="v" />
        </Link>
      }
    >
      <ShipView key={attempt.id} shown={shown} siblings={siblings} />
    </Screen>
  );
}
