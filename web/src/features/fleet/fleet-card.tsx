/** One card of the board: one attempt, or the attempts of one task that stand in the same column. */
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { type MouseEvent, memo } from "react";
import { useFormat } from "../../i18n/format.ts";
import { loadWords } from "../../i18n/i18n.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { AgentMark } from "../../ui/agent-mark.tsx";
import { part } from "../../ui/loaded/part.tsx";
import { StateSign } from "../../ui/state-sign.tsx";
import type { AttemptCard, CardGroup } from "../attempts/cards.ts";
import { StateLine, useStateWords } from "../attempts/state-line.tsx";
import { TeamPart } from "../workers/team-part.tsx";
import { CardActs } from "./card-acts.tsx";
import { AttemptRow, Meanwhile, Middle, summaryOf, Time } from "./card-parts.tsx";
import { useSelection } from "./selection.tsx";

/** A press with Control, Command or Shift selects the card, as the key `x` does. */
function useCardSelection({ cards }: CardGroup) {
  const { chosen, toggle } = useSelection();
  const ids = cards.map(({ attempt }) => attempt.id);
  return {
    // All that share the card, so that each of them is found.
    "data-attempts": ids.join(" "),
    "data-chosen": ids.every((id) => chosen.has(id)) || undefined,
    onClick: (event: MouseEvent) => {
      const isAct = event.target instanceof Element && event.target.closest("a, button, input, textarea");
      if ((event.ctrlKey || event.metaKey || event.shiftKey) && !isAct) toggle(ids);
    },
  };
}

const LimitActs = part(async () => {
  const [acts] = await Promise.all([import("../questions/limit-acts.tsx"), loadWords("questions")]);
  return acts.default;
});

interface CardProps {
  readonly group: CardGroup;
  /** One card of a column is in the tab order. */
  readonly isTabStop: boolean;
}

/** Drawn anew when its own attempts change, whatever else the board does. */
export const FleetCard = memo(PlainCard, (before, now) => {
  const { cards } = before.group;
  const isSame =
    cards.length === now.group.cards.length && cards.every((of, at) => of === now.group.cards[at]);
  const isHeldSame = before.group.held === now.group.held;
  return isSame && isHeldSame && before.isTabStop === now.isTabStop;
});

function PlainCard({ group, isTabStop }: CardProps) {
  const { task, cards } = group;
  const first = cards[0];
  const name = useCardName();
  const selection = useCardSelection(group);
  const summary = summaryOf(group);
  if (first === undefined) return null;
  if (first.card.column === "queued" || first.card.column === "done")
    return <BareCard group={group} isTabStop={isTabStop} name={name(group)} selection={selection} />;
  return (
    <article
      {...selection}
      data-card={first.attempt.id}
      data-task={task.id}
      aria-label={name(group)}
      tabIndex={isTabStop ? 0 : -1}
      className="flex flex-col gap-[5px] rounded-card border border-line bg-surface px-2.5 py-2 shadow-1 [contain:content] data-chosen:border-accent data-chosen:bg-accent-soft"
    >
      <header className="flex items-center gap-2">
        <span className="min-w-0 [&_.truncate]:whitespace-normal">
          <StateLine of={first} count={cards.length} />
        </span>
        <span
          title={task.repository.name}
          className="w-0 min-w-7 flex-1 truncate text-right text-fine text-ink-3"
        >
          {task.repository.name}
        </span>
        <Time of={first} />
      </header>
      <h3 className="text-body leading-[18px] font-medium">
        <Link
          to={cards.length > 1 ? "/tasks/$id" : "/attempts/$id"}
          params={{ id: cards.length > 1 ? task.id : first.attempt.id }}
          tabIndex={-1}
          className="line-clamp-2 pointer-coarse:min-h-11 pointer-coarse:content-center [overflow-wrap:anywhere] hover:underline"
        >
          <bdi>{cleanLine(task.title)}</bdi>
        </Link>
      </h3>
      <Middle of={first} count={cards.length} />
      <Meanwhile of={group} />
      {cards.length > 1 && cards.map((each) => <AttemptRow key={each.attempt.id} of={each} isShared />)}
      {summary !== null && (
        <div className="flex items-end gap-2">
          <bdi className="line-clamp-2 min-w-0 flex-1 text-fine text-ink-2">{cleanLine(summary)}</bdi>
          <CardActs group={group} />
        </div>
      )}
      {/* Who, the numbers and the acts share a row if there is room. */}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 empty:hidden">
        {cards.length === 1 && (
          <div className="max-w-full flex-auto">
            <AttemptRow of={first} />
          </div>
        )}
        {summary === null && <CardActs group={group} />}
      </div>
    </article>
  );
}

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
      data-task={task.id}
      aria-label={props.name}
      tabIndex={props.isTabStop ? 0 : -1}
      className={`family-${first.card.family} flex gap-[7px] rounded-control px-1.5 py-1.5 hover:bg-hover [contain:content] data-chosen:bg-accent-soft`}
    >
      <span className="mt-[2px]">
        <StateSign sign={first.card.sign} />
      </span>
      <span className="flex min-w-0 flex-col">
        <Link
          to="/attempts/$id"
          params={{ id: first.attempt.id }}
          tabIndex={-1}
          className={`line-clamp-3 text-small leading-[17px] pointer-coarse:min-h-11 pointer-coarse:content-center [overflow-wrap:anywhere] hover:underline ${column === "done" ? "text-ink-2" : "font-medium"}`}
        >
          <bdi>{cleanLine(task.title)}</bdi>
        </Link>
        <span className="text-fine text-ink-3">
          {words(first)}
          {column === "done" && ` · ${clock(since)}`}
        </span>
        {column === "queued" && (
          <span className="mt-0.5 flex min-w-0 flex-wrap gap-x-2 text-fine text-ink-3">
            {cards.map(({ attempt }) => (
              <AgentMark key={attempt.id} executor={attempt.executor} agent={attempt.agent} />
            ))}
            <TeamPart of={first.attempt} />
            <span className="w-0 min-w-12 flex-1 truncate">{task.repository.name}</span>
          </span>
        )}
        {first.card.code === "rate_limited" && <LimitActs of={first} />}
      </span>
    </article>
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
