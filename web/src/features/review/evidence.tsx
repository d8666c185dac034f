/** What speaks for a patch, in three lines, and how its files are shown. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { type Verdict, VerdictSign } from "../../ui/state-sign.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { movedGit } from "../attempts/moved-git.ts";
import { situationQuery } from "../compare/queries.ts";

export function Evidence({ shown, isReady }: { readonly shown: AttemptCard; readonly isReady: boolean }) {
  const { t } = useTranslation("review");
  const { attempt, task } = shown;
  const { data } = useQuery({
    ...situationQuery({ task: task.id, attempt: attempt.id }),
    // Git first tells what changed.
    enabled: isReady,
  });
  const checks = attempt.runs.findLast((run) => run.checks.length > 0)?.checks ?? [];
  const passed = checks.filter((check) => check.passed).length;
  const drift = data?.drift ?? null;
  const proven = attempt.runs.findLast((run) => run.status === "SUCCEEDED" && run.kind === "agent");
  const tree = checks[0]?.tree;
  return (
    <section className="border-t border-line px-3.5 py-3" aria-label={t("evidence")}>
      <h2 className="mb-1 text-fine font-medium text-ink-3">{t("evidence")}</h2>
      {checks.length === 0 ? (
        <Line verdict="skipped">{t("noChecks")}</Line>
      ) : (
        <Line verdict={passed === checks.length ? "pass" : "fail"}>
          {t("checks", { passed, count: checks.length })}
          {tree !== undefined && (
            <span className="ml-auto text-fine text-ink-3">
              {t("tree", { ns: "ship" })} <code>{tree.slice(0, 7)}</code>
            </span>
          )}
        </Line>
      )}
      {proven !== undefined && <Ownership run={proven} />}
      {drift !== null && drift.merges !== "unknown" && (
        <Line verdict={drift.merges === "cleanly" ? "pass" : "fail"}>
          {t(drift.merges === "cleanly" ? "mergesCleanly" : "conflicts", { base: drift.base })}
        </Line>
      )}
    </section>
  );
}

/** Whether the agent of the run left git alone; what it moved is in Activity. */
function Ownership({ run }: { readonly run: AttemptCard["attempt"]["runs"][number] }) {
  const { t } = useTranslation("review");
  const { isClean } = movedGit(run);
  return (
    <Line verdict={isClean ? "pass" : "over"}>
      <Link to="/activity" search={{ subject: run.id }} className="hover:underline">
        {t(isClean ? "leftGitAlone" : "movedGit")}
      </Link>
    </Line>
  );
}

function Line({ verdict, children }: { readonly verdict: Verdict; readonly children: ReactNode }) {
  return (
    <p className="flex min-h-[22px] items-center gap-1.5 text-small">
      <VerdictSign verdict={verdict} />
      {children}
    </p>
  );
}

export function ShowOptions(props: {
  readonly hideSpace: boolean;
  readonly onHideSpace: (hidden: boolean) => void;
  /** Null if there is nothing since the last review. */
  readonly onlySince: boolean | null;
  readonly onOnlySince: (only: boolean) => void;
}) {
  const { t } = useTranslation("review");
  return (
    <section className="border-t border-line px-3.5 py-3" aria-label={t("show")}>
      <h2 className="mb-1 text-fine font-medium text-ink-3">{t("show")}</h2>
      <label className="tick text-small">
        <input
          type="checkbox"
          className="accent-ink-2"
          checked={props.hideSpace}
          onChange={({ target }) => props.onHideSpace(target.checked)}
        />
        {t("hideSpace")} <KeyCap spec="W" />
      </label>
      {props.onlySince !== null && (
        <label className="tick text-small">
          <input
            type="checkbox"
            className="accent-ink-2"
            checked={props.onlySince}
            onChange={({ target }) => props.onOnlySince(target.checked)}
          />
          {t("onlySince")}
        </label>
      )}
    </section>
  );
}
