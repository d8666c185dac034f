/** Lays the way out out: the steps, their panels in two columns, and the bar that merges. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { situationQuery } from "../compare/queries.ts";
import { ChecksPanel } from "./checks-panel.tsx";
import { EvidencePanel } from "./evidence-panel.tsx";
import { shipFacts } from "./facts.ts";
import { GatePanel } from "./gate/gate-panel.tsx";
import { MergeBar } from "./landing/merge-bar.tsx";
import { MessagePanel } from "./message/message-panel.tsx";
import { ForgeChecks } from "./pull/forge-checks.tsx";
import { useNextRun } from "./pull/next-run.ts";
import { PullPanel } from "./pull/pull-panel.tsx";
import { ThreadsPanel } from "./pull/threads-panel.tsx";
import { fixAttemptsQuery, gateQuery, previewQuery, pullQuery } from "./queries.ts";
import { useShipKeys } from "./ship-keys.ts";
import { StepsBar } from "./steps-bar.tsx";
import { SuggestedAct } from "./suggested.ts";

export function ShipView(props: { readonly shown: AttemptCard; readonly siblings: readonly AttemptCard[] }) {
  const { t } = useTranslation("ship");
  const { shown, siblings } = props;
  const { attempt, task } = shown;
  const of = { task: task.id, attempt: attempt.id };
  const summary = attempt.pull_request;
  const gate = useQuery(gateQuery(of));
  const preview = useQuery(previewQuery(of));
  const pull = useQuery({ ...pullQuery(of), enabled: summary !== null });
  const most = useQuery({ ...fixAttemptsQuery(task.repository.id), enabled: summary !== null });
  const situation = useQuery({
    ...situationQuery(of),
    enabled: attempt.merged === null && attempt.commit !== null,
  });
  const drift = situation.data?.drift ?? null;
  const facts = shipFacts({
    attempt,
    gate: gate.data?.rows ?? null,
    conflicts: drift?.merges === "conflict" ? drift.files.length : 0,
    canOpen: preview.data !== undefined && preview.data.refusal === null,
  });
  const commit = preview.data?.commit ?? null;
  useShipKeys({ shown, siblings, suggested: facts.suggested });
  const error = gate.error ?? preview.error ?? pull.error;
  const nextRun = useNextRun(attempt.id, summary);
  return (
    <SuggestedAct value={facts.suggested}>
      <StepsBar
        attempt={attempt}
        facts={facts}
        subject={commit === null ? null : (commit.message.split("\n")[0] ?? null)}
        isGateKnown={gate.data !== undefined}
      />
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,.86fr)_minmax(0,1fr)] content-start gap-3 overflow-y-auto px-3.5 py-3 max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-3">
          {error !== null && <ProblemNote error={error} />}
          <GatePanel
            attempt={attempt.id}
            rows={facts.rules}
            tree={gate.data?.tree ?? null}
            isWorking={facts.isWorking}
            isKnown={gate.data !== undefined}
            leftOut={gate.data?.left_out ?? []}
          />
          <ChecksPanel
            attempt={attempt.id}
            checks={facts.checks}
            allowed={facts.allowedChecks}
            isWorking={facts.isWorking}
            rows={gate.data?.rows ?? []}
          />
          <MessagePanel
            attempt={attempt}
            facts={facts}
            commit={commit}
            typed={preview.data?.typed.message ?? null}
          />
          <EvidencePanel shown={shown} siblings={siblings} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <PullPanel attempt={attempt} preview={preview.data ?? null} isWorking={facts.isWorking} />
          {summary !== null && pull.data !== undefined && (
            <>
              <ForgeChecks
                pull={pull.data}
                summary={summary}
                most={most.data ?? null}
                isWorking={facts.isWorking}
                nextRun={nextRun}
              />
              <ThreadsPanel
                attempt={attempt.id}
                pull={pull.data}
                summary={summary}
                isWorking={facts.isWorking}
                nextRun={nextRun}
              />
            </>
          )}
          {summary !== null && pull.isLoading && <p className="text-small text-ink-3">{t("loading")}</p>}
        </div>
      </div>
      <MergeBar shown={shown} facts={facts} behind={drift?.behind ?? null} />
    </SuggestedAct>
  );
}
