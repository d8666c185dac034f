/** Finds what needs a person now and did not when it was last told. */
import type { AttemptCard } from "../attempts/cards.ts";

/** A second question of the same attempt is news; the same state is not. */
export function stateKey({ attempt, card }: AttemptCard): string {
  return `${attempt.id}:${card.code}:${card.run?.question?.expect ?? card.run?.id ?? ""}`;
}

/** Nothing is news when the page opens: `told` is null then, and the board shows it. */
export function newlyWaiting(
  waiting: readonly AttemptCard[],
  told: ReadonlySet<string> | null,
): readonly AttemptCard[] {
  return told === null ? [] : waiting.filter((each) => !told.has(stateKey(each)));
}
