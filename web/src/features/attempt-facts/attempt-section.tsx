/** Who works on an attempt and since when, and where its branch stands. */
import { cleanLine } from "@contract/text.ts";
import { isOpen } from "@contract/words/attempt-standing.ts";
import { isolationWords } from "@contract/words/present-run.ts";
import { GitBranch } from "lucide-react";
import { useLastAction } from "../../data/last-action.ts";
import { useFormat } from "../../i18n/format.ts";
import { loadWords } from "../../i18n/i18n.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { AgentMark } from "../../ui/agent-mark.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Letter } from "../../ui/letter.tsx";
import { part } from "../../ui/loaded/part.tsx";
import { StateSign } from "../../ui/state-sign.tsx";
import { useClock } from "../../ui/use-now.ts";
import type { AttemptCard } from "../attempts/cards.ts";
import { useStateWords } from "../attempts/state-line.tsx";
import { TeamPart } from "../workers/team-part.tsx";
import { Drift, WorktreeSize } from "./drift.tsx";
import { Unknown } from "./unknown.tsx";

type Of = { readonly shown: AttemptCard };

/** What a machine that came back still had; in most attempts there is none. */
const CameBack = part(async () => {
  const [cameBack] = await Promise.all([import("../workers/came-back.tsx"), loadWords("engine")]);
  return cameBack.CameBack;
});

export function AttemptSection({ shown }: Of) {
  const { t } = useTranslation("facts");
  const words = useStateWords();
  const { attempt, card, letter } = shown;
  const run = attempt.runs.findLast(({ started_at }) => started_at !== null);
  const isolation = run === undefined ? null : isolationWords(run);
  return (
    <section className="section" aria-label={t("attempt")}>
      <div className="flex flex-wrap items-center gap-2">
        <Letter letter={letter} solid />
        <span className="flex min-w-0 flex-1">
          <AgentMark executor={attempt.executor} agent={attempt.agent} model={attempt.model} />
        </span>
        <span className={`chip family-${card.family} max-w-40 whitespace-normal!`}>
          <StateSign sign={card.sign} size={12} />
          {words(shown)}
        </span>
        <TeamPart of={attempt} hasOwnLine />
      </div>
      {attempt.came_back !== undefined && <CameBack of={attempt} />}
      <dl className="facts mt-2">
        <dt>{t("session")}</dt>
        <dd>
          {attempt.session === null ? (
            <Unknown why={t("noSession")} />
          ) : (
            <CopyText text={attempt.session} shown={shortened(attempt.session)} />
          )}
        </dd>
        <dt>{t("started")}</dt>
        <dd>{run === undefined ? <Unknown why={t("notBegun")} /> : <Started run={run} />}</dd>
        <dt>{t("lastEvent")}</dt>
        <dd>{run === undefined ? <Unknown why={t("noEvent")} /> : <LastEvent of={run} />}</dd>
        <dt>{t("isolation")}</dt>
        <dd lang="en">{isolation === null ? <Unknown why={t("notBegun")} /> : cleanLine(isolation)}</dd>
      </dl>
    </section>
  );
}

const shortened = (id: string) => (id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id);

function Started({ run }: { readonly run: AttemptCard["attempt"]["runs"][number] }) {
  const format = useFormat();
  const begun = run.started_at ?? run.created_at;
  const ended = run.ended_at === null ? null : Date.parse(run.ended_at);
  const took = useClock((now) => format.rest((ended ?? now) - Date.parse(begun)));
  return (
    <span className="tabular-nums">
      {format.clock(begun)} · {took}
    </span>
  );
}

function LastEvent({ of }: { readonly of: AttemptCard["attempt"]["runs"][number] }) {
  const { t } = useTranslation("facts");
  const format = useFormat();
  const action = useLastAction(of);
  const since = Date.parse(action?.at ?? "");
  const time = useClock((now) => format.rest(now - since));
  if (action === null) return <Unknown why={t("noEvent")} />;
  return (
    <span title={cleanLine(action.text)} className="tabular-nums">
      {t("ago", { time })}
    </span>
  );
}

export function BranchSection({ shown: { attempt } }: Of) {
  const { t } = useTranslation("facts");
  const { base, started_from: from } = attempt;
  return (
    <section className="section">
      <h2>
        <GitBranch size={12} aria-hidden="true" />
        {t("branch")}
      </h2>
      <CopyText text={attempt.branch} />
      <dl className="facts mt-1.5">
        <dt>{t("base")}</dt>
        <dd>
          {base.sha === null ? (
            <Unknown why={t("notBegun")} />
          ) : (
            <>
              {from?.name ?? base.branch} <code className="text-ink-3">{base.sha.slice(0, 7)}</code>
            </>
          )}
        </dd>
        <dt>{t("drift")}</dt>
        <dd>
          <Drift attempt={attempt.id} canMerge={canMerge(attempt)} />
        </dd>
        <dt>{t("remote")}</dt>
        <dd>
          <Remote attempt={attempt} />
        </dd>
        <dt>{t("worktree")}</dt>
        <dd>
          {isOpen(attempt) ? (
            <>
              <WorktreeSize attempt={attempt.id} />
              <CopyText text={attempt.worktree} shown={t("copyPath")} />
            </>
          ) : (
            <span className="text-ink-3">{t("inTrash")}</span>
          )}
        </dd>
      </dl>
    </section>
  );
}

/** A merge needs a worktree in which nothing works. */
const canMerge = (attempt: AttemptCard["attempt"]) =>
  isOpen(attempt) && attempt.runs.length > 0 && attempt.runs.every(({ ended_at }) => ended_at !== null);

function Remote({ attempt }: { readonly attempt: AttemptCard["attempt"] }) {
  const { t } = useTranslation("facts");
  const pushed = attempt.runs.findLast(({ outcome }) => outcome === "pushed");
  if (attempt.commit === null) return <span className="text-ink-3">{t("noCommit")}</span>;
  if (pushed === undefined) return <span className="text-ink-3">{t("notPushed")}</span>;
  return (
    <>
      {t("pushed")} <code className="text-ink-3">{(pushed.commit ?? attempt.commit).slice(0, 7)}</code>
    </>
  );
}
