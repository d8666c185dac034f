/** Puts every attempt into its column: the board, the table and the navigation read the same list. */
import type { AttemptDocument, ListedTask } from "@contract/task-document.ts";
import { lettersOf } from "@contract/words/letters.ts";
import { type Card, COLUMNS, type Column, presentCard } from "@contract/words/present-card.ts";

export interface AttemptCard {
  readonly task: ListedTask;
  readonly attempt: AttemptDocument;
  readonly letter: string;
  readonly card: Card;
}

const known = new WeakMap<ListedTask, readonly AttemptCard[]>();

export function cardsOf(tasks: readonly ListedTask[]): readonly AttemptCard[] {
  return tasks.flatMap((task) => {
    const cards = known.get(task) ?? cardsOfTask(task);
    known.set(task, cards);
    return cards;
  });
}

/** No agent is silent yet: `useSilence` looks at the clock. */
const ANY_TIME = 0;

/** In the order of their letters, which are those of `tazuna compare`. */
export function cardsOfTask(task: ListedTask): readonly AttemptCard[] {
  const byId = new Map(task.attempts.map((attempt) => [attempt.id, attempt]));
  const letters = lettersOf(task.attempts.map(({ id, created_at }) => ({ id, createdAt: created_at })));
  return [...letters].flatMap(([id, letter]) => {
    const attempt = byId.get(id);
    return attempt === undefined
      ? []
      : [{ task, attempt, letter, card: presentCard(attempt, task, ANY_TIME) }];
  });
}

/** It works, waits to begin, or asks: there is something to stop. */
export function isGoing({ card }: Pick<AttemptCard, "card">): boolean {
  return card.column === "working" || card.column === "queued" || card.run?.question != null;
}

/** Attempts of one task in the same column share one card. */
export interface CardGroup {
  readonly key: string;
  readonly task: ListedTask;
  readonly cards: readonly AttemptCard[];
  /** A person types in the card, so it stays as it is: the column where it belongs by now, or what else became of it. */
  readonly held?: Column | "unchanged" | "changed";
}

export type Board = Readonly<Record<Column, readonly CardGroup[]>>;

/** Who waits longest comes first in "Needs you"; elsewhere the newest in its column comes first. */
export function boardOf(cards: readonly AttemptCard[]): Board {
  const columns = COLUMNS.map((column) => {
    const groups = Map.groupBy(
      cards.filter(({ card }) => card.column === column),
      // A question, a conflict or a failure is answered one by one.
      ({ task, attempt }) => (column === "needs" ? attempt.id : task.id),
    );
    const ordered = [...groups].map(([key, grouped]) => ({
      key,
      task: (grouped[0] as AttemptCard).task,
      cards: grouped,
    }));
    const direction = column === "needs" ? 1 : -1;
    return [
      column,
      ordered.sort((one, other) => direction * sinceOf(one).localeCompare(sinceOf(other))),
    ] as const;
  });
  return Object.fromEntries(columns) as unknown as Board;
}

function sinceOf({ cards }: CardGroup): string {
  return cards.map(({ card }) => card.since).sort()[0] ?? "";
}
