/** Puts what is known of the attempts of a task side by side, and marks the least of each number. */
import type { ComparisonDocument } from "@contract/endpoints/decisions.ts";
import type { TaskDocument } from "@contract/task-document.ts";
import { tellingRun } from "@contract/words/attempt-standing.ts";
import { lettersOf } from "@contract/words/letters.ts";
import { type AttemptCard, cardsOfTask } from "../attempts/cards.ts";

export type Compared = ComparisonDocument["attempts"][number];

/** One number of an attempt against those of the others. */
export interface Measure {
  readonly value: number;
  /** Of the greatest, from 0 to 1. */
  readonly share: number;
  readonly isLeast: boolean;
}

export interface AttemptColumn {
  readonly id: string;
  readonly letter: string;
  readonly of: AttemptCard;
  readonly compared: Compared;
  /** Nothing of it tells which agent it is. */
  readonly isHidden: boolean;
  readonly lines: Measure | null;
  readonly files: Measure | null;
  readonly newFiles: number;
  readonly cost: Measure | null;
  readonly seconds: Measure | null;
  /** What the agent said last; null if it said nothing, or if names are hidden. */
  readonly words: string | null;
}

/** In the order of their letters. While names are hidden the letters are others than those of the fleet. */
export function columnsOf(
  { attempts, task }: ComparisonDocument,
  document: TaskDocument,
  { hideNames }: { readonly hideNames: boolean },
): readonly AttemptColumn[] {
  const isHidden = hideNames && task.decision === null;
  const cards = cardsOfTask({ ...document.task, attempts: document.attempts });
  const letters = isHidden ? shuffledLetters(document.attempts) : null;
  const known = attempts.flatMap((compared) => {
    const of = cards.find(({ attempt }) => attempt.id === compared.id);
    const letter = letters?.get(compared.id) ?? of?.letter ?? compared.letter;
    return of === undefined ? [] : [{ compared, of, letter }];
  });
  const measure = measures(known.map(({ compared }) => compared));
  return known
    .map(({ compared, of, letter }) => ({
      id: compared.id,
      letter,
      of,
      compared,
      isHidden,
      ...measure(compared),
      newFiles: (compared.changed ?? []).filter(({ status }) => status === "added").length,
      words: isHidden ? null : (tellingRun(of.attempt)?.summary ?? null),
    }))
    .sort((one, other) => one.letter.length - other.letter.length || (one.letter < other.letter ? -1 : 1));
}

type Dated = { readonly id: string; readonly created_at: string };

/** Ids are random, and so is their order read backwards: it tells nothing of the order that the fleet shows. */
function shuffledLetters(attempts: readonly Dated[]): ReadonlyMap<string, string> {
  const back = (text: string) => [...text].reverse().join("");
  const letters = lettersOf(attempts.map(({ id, created_at }) => ({ id: back(id), createdAt: created_at })));
  return new Map([...letters].map(([id, letter]) => [back(id), letter]));
}

const linesOf = ({ additions, deletions }: Compared) =>
  additions === null ? null : additions + (deletions ?? 0);
const costOf = ({ usage }: Compared) => usage?.cost_usd ?? null;

function measures(all: readonly Compared[]) {
  const of = (read: (compared: Compared) => number | null) => {
    const values = all.map(read).filter((value) => value !== null && value > 0) as number[];
    const [most, least] = [Math.max(...values), Math.min(...values)];
    return (compared: Compared): Measure | null => {
      const value = read(compared);
      if (value === null) return null;
      const isLeast = values.length > 1 && value === least && least < most;
      return { value, share: most > 0 ? value / most : 0, isLeast };
    };
  };
  const [lines, files] = [of(linesOf), of(({ files }) => files)];
  const [cost, seconds] = [of(costOf), of(({ duration_s }) => duration_s)];
  return (compared: Compared) => ({
    lines: lines(compared),
    files: files(compared),
    cost: cost(compared),
    seconds: seconds(compared),
  });
}
