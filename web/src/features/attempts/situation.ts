/** Reads how an attempt stands among all else; git is asked when something changed, or when a person comes back. */
import type { FactDocument } from "@contract/endpoints/operations.ts";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { answerOf, api } from "../../data/api.ts";

const CHANGING = new Set(["run.state", "attempt.changed"]);
/** What brings another base, or another state of it, also for attempts beside it. */
const MOVING = new Set(["fetch", "merge", "merge_attempt", "merge_on_forge"]);

function isOld(fact: FactDocument, attempt: string): boolean {
  if (fact.kind === "operation.done") return MOVING.has(String(fact.data.kind));
  return fact.attempt === attempt && CHANGING.has(fact.kind);
}

/** What was said last. No git is started for it, so that each act of the agent may renew it. */
const lastSaid = (attempt: string) =>
  queryOptions({
    queryKey: ["situation", attempt],
    queryFn: () => answerOf(api.situation(attempt)),
    meta: { renewedBy: (fact) => fact.attempt === attempt && fact.kind === "run.action" },
  });

/** Asks git. */
export const lookQuery = (attempt: string) =>
  queryOptions({
    queryKey: ["situation", attempt, "look"],
    queryFn: async ({ client }) => {
      const said = await answerOf(api.situation(attempt, { look: true }));
      client.setQueryData(lastSaid(attempt).queryKey, said);
      return said.looked_at;
    },
    meta: { renewedBy: (fact) => isOld(fact, attempt) },
  });

export function useSituation(attempt: string) {
  const client = useQueryClient();
  const looking = useQuery(lookQuery(attempt));
  const { data, error } = useQuery({ ...lastSaid(attempt), enabled: looking.isFetched });
  useEffect(() => {
    // Several parts of a screen show it, and git is asked once for all of them.
    const again = () =>
      document.hidden ||
      client.invalidateQueries({ queryKey: lookQuery(attempt).queryKey }, { cancelRefetch: false });
    document.addEventListener("visibilitychange", again);
    // An editor beside the page never hides it.
    addEventListener("focus", again);
    return () => {
      document.removeEventListener("visibilitychange", again);
      removeEventListener("focus", again);
    };
  }, [client, attempt]);
  return { situation: data ?? null, error: error ?? looking.error, isLooking: looking.isFetching };
}
