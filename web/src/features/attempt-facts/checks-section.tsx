/** The checks of the newest tree that was checked, and the pull request. */
import type { RunDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { Check, GitPullRequest } from "lucide-react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { isWebAddress } from "../attempts/web-address.ts";

type Of = { readonly shown: AttemptCard };

export function ChecksSection({ shown: { attempt } }: Of) {
  const { t } = useTranslation("facts");
  const run = attempt.runs.findLast(({ checks }) => checks.length > 0);
  const works = attempt.runs.some((each) => each.status === "RUNNING" && each.number > (run?.number ?? 0));
  return (
    <section className="section">
      <h2>
        <Check size={12} aria-hidden="true" />
        {t("checks")}
        {run !== undefined && (
          <span className="ml-auto font-normal">
            {t("ofRun", { number: run.number })} <code>{run.checks[0]?.tree.slice(0, 4)}</code>
          </span>
        )}
      </h2>
      {run === undefined ? (
        <p className="text-small text-ink-2">{t("noChecks")}</p>
      ) : (
        <ul>
          {run.checks.map((check) => (
            <CheckLine key={check.name} check={check} attempt={attempt.id} />
          ))}
        </ul>
      )}
      {works && run !== undefined && <p className="text-fine text-ink-3">{t("checksAgain")}</p>}
    </section>
  );
}

function CheckLine(props: { readonly check: RunDocument["checks"][number]; readonly attempt: string }) {
  const { t } = useTranslation("facts");
  const { check, attempt } = props;
  const { span } = useFormat();
  return (
    <li className="flex min-h-[22px] items-center gap-1.5 text-small">
      <VerdictSign verdict={check.passed ? "pass" : check.outcome === "stopped" ? "skipped" : "fail"} />
      <Link
        to="/attempts/$id/ship"
        params={{ id: attempt }}
        className="min-w-0 flex-1 truncate hover:underline"
      >
        <bdi>{cleanLine(check.name)}</bdi>
        <span className="visually-hidden"> {t(check.passed ? "passed" : "failed")}</span>
      </Link>
      <span className="text-fine text-ink-3 tabular-nums">{span(check.duration_ms)}</span>
    </li>
  );
}

export function PullRequestSection({ shown: { attempt } }: Of) {
  const { t } = useTranslation("facts");
  const pull = attempt.pull_request;
  return (
    <section className="section">
      <h2>
        <GitPullRequest size={12} aria-hidden="true" />
        {t("pullRequest")}
      </h2>
      {pull === null ? (
        <p className="text-small text-ink-2">{t("noPullRequest")}</p>
      ) : (
        <div className="text-small">
          <p className="flex gap-1.5">
            {pull.url === null || !isWebAddress(pull.url) ? (
              <span>{pull.number === null ? t("pullWaits") : `#${pull.number}`}</span>
            ) : (
              <a href={pull.url} target="_blank" rel="noreferrer" className="text-accent hover:underline">
                #{pull.number}
              </a>
            )}
            <bdi className="min-w-0 truncate">{cleanLine(pull.title)}</bdi>
          </p>
          <p className="text-ink-2">
            {pull.failed_checks.length > 0
              ? t("pullFailed", { count: pull.failed_checks.length })
              : pull.pending_checks.length > 0
                ? t("pullPending", { count: pull.pending_checks.length })
                : t(`pull_${pull.state ?? "open"}`)}
          </p>
          {pull.trouble !== null && (
            <p lang="en" className="text-fail-ink">
              {cleanLine(pull.trouble.message)}
            </p>
          )}
        </div>
      )}
    </section>
  );
}
