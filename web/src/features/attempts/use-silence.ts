/** Finds the agents that have said nothing for minutes: a person should look at them, though nothing has happened. */
import type { AttemptDocument } from "@contract/task-document.ts";
import { presentCard } from "@contract/words/present-card.ts";
import { silentFor } from "@contract/words/silence.ts";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { newestAction } from "../../data/last-action.ts";
import { boardQuery } from "../../data/queries.ts";
import { useClock } from "../../ui/use-now.ts";
import { type AttemptCard, cardsOf } from "./cards.ts";

/** All attempts of the board as they stand now; none while it is not read. */
export function useCards(): readonly AttemptCard[] {
  const { data } = useQuery(boardQuery);
  return useSilence(useMemo(() => cardsOf(data ?? []), [data]));
}

/** The same cards, but for those whose agents are silent: these stand where a person looks first. */
export function useSilence(cards: readonly AttemptCard[]): readonly AttemptCard[] {
  const client = useQueryClient();
  const silent = useClock((now) =>
    cards
      .filter((of) => isSilent(client, of, now))
      .map(({ attempt }) => attempt.id)
      .join(" "),
  );
  return useMemo(() => {
    const ids = new Set(silent.split(" "));
    return silent === "" ? cards : cards.map((of) => (ids.has(of.attempt.id) ? silentCard(client, of) : of));
  }, [client, cards, silent]);
}

type Run = AttemptDocument["runs"][number];

/** The same at this moment, such as to find who waits for a person. */
export function withSilence(client: QueryClient, cards: readonly AttemptCard[]): readonly AttemptCard[] {
  return cards.map((of) => (isSilent(client, of, Date.now()) ? silentCard(client, of) : of));
}

function isSilent(client: QueryClient, { card }: AttemptCard, now: number): boolean {
  return card.run !== null && silentFor(asTold(client, card.run), now) !== null;
}

/** What the run did last may be newer than the task that was read. */
const asTold = (client: QueryClient, run: Run): Run => ({ ...run, last_action: newestAction(client, run) });

const made = new WeakMap<AttemptCard, AttemptCard>();

/** The same object each time, so that its card is not drawn anew. */
function silentCard(client: QueryClient, of: AttemptCard): AttemptCard {
  const runs = of.attempt.runs.map((run) => asTold(client, run));
  const card = presentCard({ ...of.attempt, runs }, of.task, Date.now());
  const known = made.get(of);
  if (known !== undefined && known.card.since === card.since && known.card.code === card.code) return known;
  const silent = { ...of, card };
  made.set(of, silent);
  return silent;
}
