/** Says whether an attempt merges into its base as it is now. */
import { cleanLine } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Hint } from "../../ui/button.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { situationQuery } from "./queries.ts";

export function Merges({ of: { attempt, task } }: { readonly of: AttemptCard }) {
  const { t } = useTranslation("compare");
  const { data, isLoading } = useQuery({
    ...situationQuery({ task: task.id, attempt: attempt.id }),
    enabled: attempt.merged === null && attempt.changes !== null,
  });
  if (attempt.merged !== null) return <Verdict verdict="pass" words={t("merged")} />;
  if (isLoading) return <span className="text-ink-3">{t("loading")}</span>;
  const drift = data?.drift ?? null;
  if (drift === null || drift.merges === "unknown")
    return (
      <span className="text-ink-3">
        {t("unknown")}
        {(drift?.reason ?? data?.reasons.drift) ? (
          <span lang="en">: {cleanLine(drift?.reason ?? data?.reasons.drift ?? "")}</span>
        ) : null}
      </span>
    );
  if (drift.merges === "cleanly") return <Verdict verdict="pass" words={t("cleanly")} />;
  const files = drift.files.map(cleanLine).join(", ");
  return (
    <Hint words={files}>
      <span className="family-needs inline-flex items-center gap-1.5 text-(--tone)">
        <VerdictSign verdict="over" />
        {t("conflictIn", { count: drift.files.length })}
        <span className="visually-hidden">: {files}</span>
      </span>
    </Hint>
  );
}

function Verdict({ verdict, words }: { readonly verdict: "pass"; readonly words: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <VerdictSign verdict={verdict} />
      {words}
    </span>
  );
}
