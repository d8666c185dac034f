/** What is wrong on this machine, and what to do about it. */

import type { FactDocument } from "@contract/endpoints/operations.ts";
import type { FindingDocument } from "@contract/endpoints/repositories.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { answerOf, api } from "../../data/api.ts";
import type { Act } from "../../data/may.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeText } from "../../ui/code-text.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { StateSign, VerdictSign } from "../../ui/state-sign.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { copyWords } from "../attempts/outside.ts";
import { SettingsSection } from "./parts.tsx";
import { actsOf, type RemedyAct } from "./remedy-acts.ts";

const ORDER: readonly FindingDocument["level"][] = ["error", "warning", "info", "ok"];

/** A clean-up ended or failed, or a repository moved; most other faults lie outside of what the server follows. */
const isMended = ({ kind, data }: FactDocument) =>
  kind === "repository.changed" ||
  (kind === "attempt.changed" && (data.state === "canceled" || data.state === "removed"));

export function DoctorSection() {
  const { t } = useTranslation("settings");
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["doctor"],
    queryFn: async () => (await answerOf(api.doctor())).findings,
    meta: { renewedBy: isMended },
  });
  const wrong = (data ?? [])
    .filter(({ level }) => level !== "ok")
    .sort((one, other) => ORDER.indexOf(one.level) - ORDER.indexOf(other.level));
  const well = (data ?? []).length - wrong.length;
  return (
    <SettingsSection
      id="doctor"
      title={t("doctor")}
      acts={
        <Button kind="quiet" size="small" asks="doctor" busy={isFetching} onClick={() => void refetch()}>
          {t("examine")}
        </Button>
      }
    >
      {error !== null && <ProblemNote error={error} />}
      {data === undefined && error === null && <p className="p-3.5 text-ink-3">{t("examining")}</p>}
      <ul>
        {wrong.map((finding) => (
          <li key={finding.id} className="border-b border-line px-3.5 py-2 last:border-0">
            <Finding finding={finding} />
          </li>
        ))}
      </ul>
      {data !== undefined && (
        <p className="px-3.5 py-2 text-small text-ink-3">
          {wrong.length === 0 ? t("nothingWrong") : t("allWell", { count: well })}
        </p>
      )}
    </SettingsSection>
  );
}

function Finding({ finding }: { readonly finding: FindingDocument }) {
  const { t } = useTranslation("settings");
  const { level, what, why, remedy, path } = finding;
  return (
    <div className="flex items-start gap-2 text-small">
      <span className={`mt-0.5 ${level === "error" ? "family-fail" : ""}`}>
        {level === "error" ? (
          <StateSign sign="square-cross" />
        ) : (
          <VerdictSign verdict={level === "warning" ? "over" : "skipped"} />
        )}
        <span className="visually-hidden">{t(`level_${level}`)}</span>
      </span>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">
          <CodeText text={what} />
        </p>
        {why !== null && (
          <p className="text-ink-3">
            <CodeText text={why} />
          </p>
        )}
        {remedy !== null && (
          <>
            <p className="text-ink-2">
              <CodeText text={remedy} />
            </p>
            <RemedyActs remedy={remedy} path={path} />
          </>
        )}
      </div>
    </div>
  );
}

/** Opens the scripts of the repository in this folder, which are above on this page. */
function readScripts(path: string | null): void {
  const repositories = document.getElementById("repositories");
  repositories?.scrollIntoView();
  const own = repositories?.querySelector(`[data-repository="${CSS.escape(path ?? "")}"]`);
  own?.querySelector<HTMLElement>("[data-act=trust]")?.click();
}

/** What an act asks of the server; the others only show or copy something. */
const ASKS: Readonly<Partial<Record<RemedyAct["kind"], Act>>> = { trust: "trust", cancel: "cancel" };

function RemedyActs({ remedy, path }: { readonly remedy: string; readonly path: string | null }) {
  const { t } = useTranslation("settings");
  const navigate = useNavigate();
  const cleanUp = useMutation({
    mutationFn: (id: string) => answerOf(api.cancel({ type: "attempt", id })),
    onError: tellProblem,
    // It goes on behind the answer; the facts say how it ended.
    onSuccess: () => tell({ title: t("remedyTried"), text: t("remedyTriedText") }),
  });
  const run = (wanted: RemedyAct) => {
    if (wanted.kind === "trust") readScripts(path);
    else if (wanted.kind === "storage") void navigate({ to: "/storage" });
    else if (wanted.kind === "attempt") void navigate({ to: "/attempts/$id", params: { id: wanted.id } });
    else if (wanted.kind === "copy") void copyWords(wanted.command);
    else cleanUp.mutate(wanted.id);
  };
  const acts = actsOf(remedy);
  if (acts.length === 0) return null;
  return (
    <span className="mt-1 flex flex-wrap gap-1.5">
      {acts.map((each) => (
        <Button
          key={JSON.stringify(each)}
          size="small"
          asks={ASKS[each.kind] ?? "doctor"}
          busy={cleanUp.isPending}
          onClick={() => run(each)}
        >
          {t(`remedy_${each.kind}`)}
          {each.kind === "copy" && <code className="max-w-60 truncate">{each.command}</code>}
        </Button>
      ))}
    </span>
  );
}
