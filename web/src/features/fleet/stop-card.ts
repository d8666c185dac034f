/** Stops what a card stands for: all that goes on in the attempts that share it. */
import { useStop } from "../attempts/act.ts";
import { type AttemptCard, isGoing } from "../attempts/cards.ts";

/** If nothing goes on, the first one is asked for all the same: the server says why nothing comes of it. */
export function useStopCard(cards: readonly AttemptCard[]): (ids: readonly string[]) => void {
  const stop = useStop();
  return (ids) => {
    const going = cards.filter((of) => ids.includes(of.attempt.id) && isGoing(of)).map((of) => of.attempt.id);
    for (const id of going.length > 0 ? going : ids.slice(0, 1)) stop.mutate({ type: "attempt", id });
  };
}
