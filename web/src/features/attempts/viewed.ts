/** Reads which files of a patch, and which runs, a person has looked at. */
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";

const CHANGING = new Set(["attempt.viewed", "attempt.seen", "attempt.changed", "run.state"]);

export const viewedQuery = (attempt: string) =>
  queryOptions({
    queryKey: ["viewed", attempt],
    queryFn: () => answerOf(api.viewed(attempt)),
    meta: { renewedBy: (fact) => fact.attempt === attempt && CHANGING.has(fact.kind) },
  });
