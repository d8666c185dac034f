/** Reads how an attempt stands among all else; git is asked when something changed, or when a person comes back. */
import type { FactDocument } from "@contract/endpoints/operations.ts";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { answerOf, api } from "../../data/api.ts";

const CHANGING = new Set(["run.state", "attempt.changed"]);
/** What brings another base, or another state of it, also for attempts beside it. */
const MOVING = new Set(["fetch", "merge", "merge_attempt", "merge_on_forge", "undo"]);

/** Whether a base is another one since, of whichever attempt. */
export const movesBase = ({ kind, data }: FactDocument): boolean =>
  kind === "operation.done" && MOVING.has(String(data.kind));

function isOld(fact: FactDocument, attempt: string): boolean {
  if (movesBase(fact)) return true;
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
  const looking = useQuery(lookQuery(attempt));
  const { data, error } = useQuery({ ...lastSaid(attempt), enabled: looking.isFetched });
  return { situation: data ?? null, error: error ?? looking.error, isLooking: looking.isFetching };
}

/** A browser tells of a return twice. */
const RETURN_MS = 50;

/** A person who comes back may have changed files elsewhere. A look that goes on may miss that: git is asked anew. */
export function useLookOnReturn(attempt: string): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const again = () => {
      timer = null;
      void client.invalidateQueries({ queryKey: lookQuery(attempt).queryKey });
    };
    const back = () => {
      if (!document.hidden) timer ??= setTimeout(again, RETURN_MS);
    };
    document.addEventListener("visibilitychange", back);
    // An editor beside the page never hides it.
    addEventListener("focus", back);
    return () => {
      if (timer !== null) clearTimeout(timer);
      document.removeEventListener("visibilitychange", back);
      removeEventListener("focus", back);
    };
  }, [client, attempt]);
}
