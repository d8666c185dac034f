/** The checks that the forge runs on the pull request, live, and their way to the agent. */

import type { PullRequestDocument, PullRequestSummary } from "@contract/pull-request-document.ts";
import { cleanLine, cleanText } from "@contract/text.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { StateSign, VerdictSign } from "../../../ui/state-sign.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { isWebAddress } from "../../attempts/web-address.ts";
import { Panel } from "../panel.tsx";
import { useActKey } from "../suggested.ts";
import { AddToRun } from "./add-to-run.tsx";
import type { NextRun } from "./next-run.ts";

interface ForgeProps {
  readonly pull: PullRequestDocument;
  readonly summary: PullRequestSummary;
  /** How often failures are sent at most by the loop; null if that is not known. */
  readonly most: number | null;
  readonly isWorking: boolean;
  readonly nextRun: NextRun;
}

const STATE_WORDS = {
  pending: "statePending",
  passed: "statePassed",
  failed: "stateFailed",
  neutral: "stateNeutral",
} as const;

export function ForgeChecks({ pull, summary, most, isWorking, nextRun }: ForgeProps) {
  const { t } = useTranslation("ship");
  const act = useActKey("send_forge_checks");
  const count = (state: string) => pull.checks.filter((check) => check.state === state).length;
  const [failed, running] = [count("failed"), count("pending")];
  const order = { failed: 0, pending: 1, passed: 2, neutral: 3 } as const;
  const checks = pull.checks.toSorted((one, other) => order[one.state] - order[other.state]);
  const at = summary.tried.filter(({ checks: tried }) => tried.length > 0).length + 1;
  return (
    <Panel
      step="pull"
      title={t("forgeChecks")}
      chips={
        <>
          {failed > 0 && (
            <span className="chip family-fail">
              <StateSign sign="square-cross" size={11} />
              {t("failedCount", { count: failed })}
            </span>
          )}
          {running > 0 && (
            <span className="chip family-work">
              <StateSign sign="ring-dot" size={11} />
              {t("runningCount", { count: running })}
            </span>
          )}
          {failed === 0 && running === 0 && pull.checks.length > 0 && (
            <span className="chip family-ready">
              <VerdictSign verdict="pass" />
              {t("passedCount", { count: count("passed") })}
            </span>
          )}
        </>
      }
      side={pull.looked_at === null ? undefined : <LookedAt at={pull.looked_at} />}
    >
      {checks.length === 0 && <p className="text-small text-ink-2">{t("noForgeChecks")}</p>}
      <ul>
        {checks.map((check) => (
          <ForgeCheck key={check.id} check={check} nextRun={nextRun} />
        ))}
      </ul>
      {failed > 0 && (
        <span className="mt-1.5 flex flex-wrap items-center gap-2">
          <Button
            kind="primary"
            size="small"
            {...act}
            busy={nextRun.isSending}
            off={isWorking ? t("whyWorking") : nextRun.checks.length === 0 ? t("addToRun") : null}
            onClick={() => nextRun.send({ threads: [], checks: nextRun.checks })}
          >
            {nextRun.checks.length > 1
              ? t("sendFailures", { count: nextRun.checks.length })
              : t("sendFailure")}
          </Button>
          <span className="text-fine text-ink-3">
            {most === null ? t("attemptNumber", { at }) : t("attemptOf", { at, of: Math.max(at, most) })}
          </span>
        </span>
      )}
    </Panel>
  );
}

function LookedAt({ at }: { readonly at: string }) {
  const { t } = useTranslation("ship");
  const { rest } = useFormat();
  return <>{t("lookedAt", { ago: rest(useNow() - Date.parse(at)) })}</>;
}

function ForgeCheck(props: {
  readonly check: PullRequestDocument["checks"][number];
  readonly nextRun: NextRun;
}) {
  const { check, nextRun } = props;
  const { t } = useTranslation("ship");
  const { name, state, url, summary } = check;
  const isFailed = state === "failed";
  return (
    <li
      {...(isFailed ? { "data-forge-check": name, tabIndex: -1 } : {})}
      className={`flex items-start gap-2 py-[3px] text-small ${isFailed ? "-mx-2 my-1 rounded-control bg-fail-soft px-2" : ""}`}
    >
      <span className={`mt-0.5 ${isFailed ? "family-fail" : state === "pending" ? "family-work" : ""}`}>
        {isFailed ? (
          <StateSign sign="square-cross" />
        ) : state === "pending" ? (
          <StateSign sign="ring-dot" />
        ) : (
          <VerdictSign verdict={state === "passed" ? "pass" : "skipped"} />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="font-medium">{cleanLine(name)}</bdi>
          <span className="visually-hidden">{t(STATE_WORDS[state])}</span>
          {url !== null && isWebAddress(url) && (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="ml-auto text-fine text-accent hover:underline"
            >
              {t("log")}
              <span className="visually-hidden"> {cleanLine(name)}</span>
            </a>
          )}
        </p>
        {isFailed && (
          <div className="text-fine">
            <AddToRun point={{ kind: "check", id: name }} nextRun={nextRun} />
          </div>
        )}
        {isFailed && summary !== null && summary.trim() !== "" && (
          <pre className="mt-1 max-h-40 overflow-auto rounded-[5px] bg-sunken px-2 py-1 text-fine leading-[17px] whitespace-pre-wrap">
            <bdi>{cleanText(summary).trim()}</bdi>
          </pre>
        )}
      </div>
    </li>
  );
}
