/** One card of the board: one attempt, or the attempts of one task that stand in the same column. */
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { type MouseEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../i18n/format.ts";
import { AgentMark } from "../../ui/agent-mark.tsx";
import { Button } from "../../ui/button.tsx";
import { Letter } from "../../ui/letter.tsx";
import { RunTrack } from "../../ui/run-track.tsx";
import { StateSign } from "../../ui/state-sign.tsx";
import { useNow } from "../../ui/use-now.ts";
import { suggestionFor, useFollowUp, useGoTo, useRetry } from "../attempts/act.ts";
import type { AttemptCard, CardGroup } from "../attempts/cards.ts";
import { Checks, Cost, Lines } from "../attempts/numbers.tsx";
import { StateLine, useStateWords } from "../attempts/state-line.tsx";
import { AnswerBox, QuestionNote } from "../questions/answer-box.tsx";
import { WriteForm } from "../questions/write-form.tsx";
import { useSelection } from "./selection.tsx";

/** A press with Control, Command or Shift selects the card, as the key `x` does. */
function useCardSelection({ cards }: CardGroup) {
  const { chosen, toggle } = useSelection();
  const ids = cards.map(({ attempt }) => attempt.id);
  return {
    "data-ids": ids.join(" "),
    "data-chosen": ids.every((id) => chosen.has(id)) || undefined,
    onClick: (event: MouseEvent) => {
      const isAct = event.target instanceof Element && event.target.closest("a, button, input, textarea");
      if ((event.ctrlKey || event.metaKey || event.shiftKey) && !isAct) toggle(ids);
    },
  };
}

interface CardProps {
  readonly group: CardGroup;
  /** One card of a column is in the tab order. */
  readonly isTabStop: boolean;
}

export function FleetCard({ group, isTabStop }: CardProps) {
  const { task, cards } = group;
  const first = cards[0];
  const name = useCardName();
  const selection = useCardSelection(group);
  if (first === undefined) return null;
  if (first.card.column === "queued" || first.card.column === "done")
    return <BareCard group={group} isTabStop={isTabStop} name={name(group)} selection={selection} />;
  return (
    <article
      {...selection}
      data-card={first.attempt.id}
      data-attempts={attemptsOf(group)}
      data-task={task.id}
      aria-label={name(group)}
      tabIndex={isTabStop ? 0 : -1}
      className="flex flex-col gap-[5px] rounded-card border border-line bg-surface p-2.5 shadow-1 [contain:content] data-chosen:border-accent data-chosen:bg-accent-soft"
    >
      <header className="flex items-center gap-2">
        <span className="min-w-0 max-w-4/5 flex-none">
          <StateLine of={first} count={cards.length} />
        </span>
        <span className="min-w-0 flex-1 truncate text-right text-fine text-ink-3">
          {task.repository.name}
        </span>
        <Time of={first} />
      </header>
      <h3 className="text-body font-medium">
        <Link
          to={cards.length > 1 ? "/tasks/$id" : "/attempts/$id"}
          params={{ id: cards.length > 1 ? task.id : first.attempt.id }}
          tabIndex={-1}
          className="line-clamp-3 hover:underline"
        >
          <bdi>{cleanLine(task.title)}</bdi>
        </Link>
      </h3>
      <Middle of={first} count={cards.length} />
      {cards.length > 1 ? cards.map((each) => <Row key={each.attempt.id} of={each} />) : <Row of={first} />}
      <Acts group={group} />
    </article>
  );
}

/** All that share the card, so that each of them is found. */
const attemptsOf = ({ cards }: CardGroup) => cards.map(({ attempt }) => attempt.id).join(" ");

/** What waits or is over needs no frame: its title, why, and who. */
function BareCard(props: {
  readonly group: CardGroup;
  readonly isTabStop: boolean;
  readonly name: string;
  readonly selection: ReturnType<typeof useCardSelection>;
}) {
  const { task, cards } = props.group;
  const words = useStateWords();
  const { clock } = useFormat();
  const first = cards[0] as AttemptCard;
  const { column, since } = first.card;
  return (
    <article
      {...props.selection}
      data-card={first.attempt.id}
      data-attempts={attemptsOf(props.group)}
      data-task={task.id}
      aria-label={props.name}
      tabIndex={props.isTabStop ? 0 : -1}
      className={`family-${first.card.family} flex gap-2 rounded-card px-1 py-1.5 [contain:content] data-chosen:bg-accent-soft`}
    >
      <span className="mt-[3px]">
        <StateSign sign={first.card.sign} />
      </span>
      <span className="flex min-w-0 flex-col">
        <Link
          to="/attempts/$id"
          params={{ id: first.attempt.id }}
          tabIndex={-1}
          className="font-medium hover:underline"
        >
          <bdi>{cleanLine(task.title)}</bdi>
        </Link>
        <span className="text-fine text-ink-3">
          {words(first)}
          {column === "done" && ` · ${clock(since)}`}
        </span>
        {column === "queued" && (
          <span className="mt-1 flex min-w-0 gap-2 text-fine text-ink-3">
            {cards.map(({ attempt }) => (
              <AgentMark key={attempt.id} executor={attempt.executor} agent={attempt.agent} />
            ))}
            <span className="truncate">{task.repository.name}</span>
          </span>
        )}
      </span>
    </article>
  );
}

/** How long it has been in this state. Only what runs has a clock that moves. */
function Time({ of: { card } }: { readonly of: AttemptCard }) {
  const format = useFormat();
  const now = useNow();
  const ms = now - Date.parse(card.since);
  const isLive = card.column === "working";
  return (
    <time
      dateTime={card.since}
      role={isLive ? "timer" : undefined}
      aria-live="off"
      className="text-fine text-ink-2 tabular-nums whitespace-nowrap"
    >
      {isLive ? format.running(ms) : format.rest(ms)}
    </time>
  );
}

/** What the state is about: the live action, the question, or the failure. */
function Middle({ of: { card }, count }: { readonly of: AttemptCard; readonly count: number }) {
  const { run, family } = card;
  if (run === null) return null;
  if (run.question !== null && card.column === "needs") return <QuestionNote question={run.question} />;
  if (run.failure !== null && card.column !== "done")
    return (
      <div className={`callout family-${family}`} lang="en">
        <bdi className="line-clamp-3">{cleanLine(run.failure.message)}</bdi>
      </div>
    );
  if (card.column === "working")
    return (
      <>
        {run.last_action !== null && count === 1 && (
          <code className="truncate text-fine text-ink-2">{cleanLine(run.last_action.text)}</code>
        )}
        <RunTrackOf run={run} family={family} />
      </>
    );
  const words = card.column === "review" && count === 1 ? run.summary : null;
  return words === null ? null : <bdi className="line-clamp-2 text-small text-ink-3">{cleanLine(words)}</bdi>;
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

function Row({ of: { attempt, letter, task, card } }: { readonly of: AttemptCard }) {
  const { t } = useTranslation("fleet");
  const action =
    card.column === "working" && task.attempts.length > 1 ? card.run?.last_action?.text : undefined;
  return (
    <div className="flex min-w-0 items-center gap-2">
      {task.attempts.length > 1 && (
        <Link
          to="/attempts/$id"
          params={{ id: attempt.id }}
          tabIndex={-1}
          title={t("openAttempt", { letter })}
          className="rounded-control hover:outline-2 hover:outline-line-strong"
        >
          <Letter letter={letter} />
        </Link>
      )}
      <span className="flex min-w-0 flex-1 items-center gap-1.5">
        <AgentMark
          executor={attempt.executor}
          agent={action === undefined ? attempt.agent : null}
          model={attempt.model}
        />
        {action !== undefined && <code className="truncate text-fine text-ink-2">{cleanLine(action)}</code>}
      </span>
      <Lines attempt={attempt} />
      <Checks attempt={attempt} />
      <Cost attempt={attempt} />
    </div>
  );
}

function Acts({ group }: { readonly group: CardGroup }) {
  const { t } = useTranslation("fleet");
  const goTo = useGoTo();
  const retry = useRetry();
  const first = group.cards[0] as AttemptCard;
  const followUp = useFollowUp(first.attempt.id);
  const [isWriting, setWriting] = useState(false);
  const suggestion = suggestionFor(group);
  if (suggestion === null) return null;
  const { run, column, family } = first.card;
  if (suggestion.kind === "answer")
    return run === null ? null : (
      <AnswerBox key={run.question?.expect} attempt={first.attempt.id} run={run} />
    );
  const act = () => {
    if (suggestion.kind === "go") void goTo(suggestion.to, first);
    if (suggestion.kind === "resolve") followUp.mutate({ resolve: true });
    if (suggestion.kind === "push_again" && run !== null) retry.mutate({ run: run.id, from: "push" });
    if (suggestion.kind === "begin") void goTo("attempt", first);
  };
  if (isWriting)
    return (
      <WriteForm
        label={t("label", { ns: "continue" })}
        submit={t("send")}
        isBusy={followUp.isPending}
        hasFocus
        onSend={(instruction) => followUp.mutate({ instruction })}
        onLeave={() => setWriting(false)}
      />
    );
  return (
    <span className="flex justify-end gap-1.5">
      <Button
        size="small"
        keySpec="a"
        data-act="suggested"
        busy={followUp.isPending || retry.isPending}
        onClick={act}
      >
        {t(suggestion.words)}
      </Button>
      {column === "needs" && family === "fail" && (
        <Button kind="quiet" size="small" keySpec="r" data-act="write" onClick={() => setWriting(true)}>
          {t("write")}
        </Button>
      )}
    </span>
  );
}

/** The name of a card for readers: state, task, attempt, agent, time. */
function useCardName() {
  const { t } = useTranslation("fleet");
  const stateWords = useStateWords();
  const { chosen } = useSelection();
  return ({ task, cards }: CardGroup): string => {
    const first = cards[0] as AttemptCard;
    const column = t(first.card.column);
    const letters = cards.map(({ letter }) => letter).join(", ");
    const name = `${column}: ${stateWords(first, cards.length)}. ${cleanLine(task.title)}, ${letters}, ${first.attempt.agent}`;
    return cards.every(({ attempt }) => chosen.has(attempt.id)) ? `${name}. ${t("chosenCard")}` : name;
  };
}
