/** The parts of a card on the board: its time, what its state is about, and who works with which numbers. */
import type { RunDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { Shield, ShieldCheck } from "lucide-react";
import { useLastAction } from "../../data/last-action.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { AgentMark } from "../../ui/agent-mark.tsx";
import { Letter } from "../../ui/letter.tsx";
import { RunTrack } from "../../ui/live/run-track.tsx";
import { useClock } from "../../ui/use-now.ts";
import type { AttemptCard, CardGroup } from "../attempts/cards.ts";
import { Checks, Cost, Lines } from "../attempts/numbers.tsx";
import { QuestionNote } from "../questions/answer-box.tsx";
import { TeamPart } from "../workers/team-part.tsx";

/** How long it has been in this state. Only what runs has a clock that moves. */
export function Time({ of: { card } }: { readonly of: AttemptCard }) {
  const format = useFormat();
  const isLive = card.column === "working";
  const since = Date.parse(card.since);
  const words = useClock((now) => (isLive ? format.running(now - since) : format.rest(now - since)));
  return (
    <time
      dateTime={card.since}
      role={isLive ? "timer" : undefined}
      aria-live="off"
      className={`text-fine tabular-nums whitespace-nowrap ${card.column === "needs" ? "font-medium text-ink" : "text-ink-3"}`}
    >
      {words}
    </time>
  );
}

/** What the state is about: the live action, the question, or the failure. */
export function Middle({ of: { card }, count }: { readonly of: AttemptCard; readonly count: number }) {
  const { run, family } = card;
  if (run === null) return null;
  if (run.question !== null && card.column === "needs") return <QuestionNote question={run.question} />;
  if (run.failure !== null && card.column !== "done")
    return (
      <div className={`callout family-${family} px-2 py-1 leading-[17px]`} lang="en">
        <bdi className="line-clamp-3">{cleanLine(run.failure.message)}</bdi>
      </div>
    );
  // Alone in its card, it tells what it did last also if that was long ago.
  if (card.column === "working" || card.code === "silent")
    return (
      <>
        {count === 1 && <LastAction of={run} />}
        <RunTrackOf run={run} family={family} />
      </>
    );
  return null;
}

/** What became of a card in which a person types. */
export function Meanwhile({ of: { held } }: { readonly of: CardGroup }) {
  const { t } = useTranslation("fleet");
  return (
    <p role="status" className="text-fine text-ink-2 empty:hidden">
      {held !== undefined &&
        held !== "unchanged" &&
        (held === "changed" ? t(held) : t("meanwhile", { column: t(held) }))}
    </p>
  );
}

/** The agent's last words about what it did; null if the card has none to show. */
export function summaryOf({ cards }: CardGroup): string | null {
  const first = cards[0]?.card;
  if (first === undefined || first.column !== "review" || cards.length > 1) return null;
  return first.run === null || first.run.failure !== null ? null : first.run.summary;
}

/** What the agent did last, and how long ago that was. */
function LastAction({ of: run }: { readonly of: RunDocument }) {
  const { rest } = useFormat();
  const action = useLastAction(run);
  const since = Date.parse(action?.at ?? "");
  const ago = useClock((now) => rest(now - since));
  if (action === null) return null;
  return (
    <span className="flex items-baseline gap-2">
      <code className="min-w-0 flex-1 truncate text-fine text-ink-2">{cleanLine(action.text)}</code>
      <span className="text-[10.5px] leading-4 text-ink-3 tabular-nums">{ago}</span>
    </span>
  );
}

function RunTrackOf({
  run,
  family,
}: {
  readonly run: Parameters<typeof RunTrack>[0]["run"];
  readonly family: string;
}) {
  return (
    <div className={`family-${family}`}>
      <RunTrack run={run} />
    </div>
  );
}

/** Who works, and the numbers; with siblings by its letter. In a shared card it says what its agent did last. */
export function AttemptRow(props: { readonly of: AttemptCard; readonly isShared?: boolean }) {
  const { t } = useTranslation("fleet");
  const { attempt, letter, task, card } = props.of;
  return (
    <div className="flex min-h-[19px] flex-wrap items-center gap-1.5 pointer-coarse:min-h-11">
      {task.attempts.length > 1 && (
        <Link
          to="/attempts/$id"
          params={{ id: attempt.id }}
          tabIndex={-1}
          title={t("openAttempt", { letter })}
          className="target rounded-control pointer-coarse:mx-3 hover:outline-2 hover:outline-line-strong"
        >
          <Letter letter={letter} />
        </Link>
      )}
      <span className="flex w-0 min-w-12 flex-1 items-center gap-1.5">
        {props.isShared && card.column === "working" ? (
          <AtWork of={props.of} />
        ) : (
          <AgentMark executor={attempt.executor} agent={attempt.agent} model={attempt.model} isShort />
        )}
        <Isolation of={card.run} />
      </span>
      <span className="flex flex-none items-center gap-[7px]">
        <Lines attempt={attempt} />
        <Checks attempt={attempt} />
        <Cost attempt={attempt} />
      </span>
      <TeamPart of={attempt} hasOwnLine />
    </div>
  );
}

/** What the agent did last takes the place of its name. */
function AtWork({ of: { attempt, card } }: { readonly of: AttemptCard }) {
  const { executor, agent, model } = attempt;
  const action = useLastAction(card.run);
  return (
    <>
      <AgentMark executor={executor} agent={action === null ? agent : null} model={model} isShort />
      {action !== null && (
        <code className="min-w-0 truncate text-fine text-ink-2">{cleanLine(action.text)}</code>
      )}
    </>
  );
}

/** Which isolation held the agent: the tick stands for the sandbox. */
function Isolation({ of: run }: { readonly of: AttemptCard["card"]["run"] }) {
  const { t } = useTranslation("fleet");
  if (run === null || run.isolation === null) return null;
  const Sign = run.isolation === "sandbox" ? ShieldCheck : Shield;
  const words = t("isolation", { what: run.isolation });
  return (
    <span title={words} className="flex-none text-ink-3">
      <Sign size={12} strokeWidth={1.75} aria-hidden="true" />
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
