/** What was done to the team, and by whom, the newest first. Admins alone see it. */
import type { TeamActDocument } from "@contract/endpoints/access.ts";
import { cleanLine } from "@contract/text.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { useActorName } from "../actors/use-actor-name.ts";
import { SettingsSection } from "../settings/parts.tsx";
import { useTeamActs } from "./team-acts.ts";

export function ActsSection() {
  const { t } = useTranslation("teamActs");
  const { query, acts } = useTeamActs({ isAdmin: true });
  return (
    <SettingsSection id="acts" title={t("acts", { ns: "settings" })}>
      {query.error !== null && <ProblemNote error={query.error} />}
      <p className="px-3.5 py-2 text-small text-ink-3">{t("hint")}</p>
      <ul>
        {acts.map((act) => (
          <Row key={act.id} act={act} />
        ))}
      </ul>
      {query.hasNextPage && (
        <div className="border-t border-line px-3.5 py-2">
          <Button kind="quiet" size="small" onClick={() => void query.fetchNextPage()}>
            {t("older")}
          </Button>
        </div>
      )}
    </SettingsSection>
  );
}

function Row({ act }: { readonly act: TeamActDocument }) {
  const { clock } = useFormat();
  const { t, isKnown } = useTranslation("teamActs");
  const nameOf = useActorName();
  const detail = useDetail(act);
  const { at, kind, name: called, actor } = act;
  const name = cleanLine(called);
  // A newer server knows more acts.
  const words = isKnown(kind) ? t(kind, { name }) : `${kind.replaceAll("_", " ")} ${name}`;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-t border-line px-3.5 py-1.5 text-small">
      <time dateTime={at} className="w-28 text-ink-3 tabular-nums">
        {clock(at)}
      </time>
      <bdi className="w-52 text-ink-2 [overflow-wrap:anywhere]">{nameOf(actor)}</bdi>
      <span className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
        <bdi>{words}</bdi>
        {detail !== null && <span className="text-ink-3"> · {detail}</span>}
      </span>
    </li>
  );
}

/** Roles have a name in each language; scopes and names have one. */
function useDetail({ kind, detail }: TeamActDocument): string | null {
  const { t, isKnown } = useTranslation("people");
  if (detail === null) return null;
  const role = `role_${detail}`;
  const isRole = kind === "role_given" || kind === "person_entered";
  return isRole && isKnown(role) ? t(role) : cleanLine(detail);
}
