/** Sorts the attempts of a start that is taken back by what becomes of them. */
import { hasEnded } from "@contract/settled.ts";
import type { TaskDocument } from "@contract/task-document.ts";

type Attempt = TaskDocument["attempts"][number];

interface TakenBack {
  /** An agent that works is not interrupted by taking a start back. */
  readonly unbegun: readonly Attempt[];
  readonly goOn: readonly Attempt[];
  /** Some fail before a person can take them back. */
  readonly ended: readonly Attempt[];
}

export function sortForTakeBack(attempts: readonly Attempt[]): TakenBack {
  const isUnbegun = ({ runs }: Attempt) => runs.every(({ status }) => status === "PENDING");
  const isOver = ({ runs }: Attempt) => runs.every(hasEnded);
  return {
    unbegun: attempts.filter(isUnbegun),
    goOn: attempts.filter((attempt) => !isUnbegun(attempt) && !isOver(attempt)),
    ended: attempts.filter((attempt) => !isUnbegun(attempt) && isOver(attempt)),
  };
}
