/** Tells whether an attempt takes further words: one that a person cancelled does not, also once it is cleaned up. */
import type { AttemptDocument } from "@contract/task-document.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";

const continuesQuery = (attempt: string) =>
  queryOptions({
    queryKey: ["continues", attempt],
    queryFn: async () => (await answerOf(api.situation(attempt))).continues,
    meta: { renewedBy: (fact) => fact.attempt === attempt && fact.kind === "attempt.changed" },
  });

/** As long as that is not known, the server says it. */
export function useMaySend({ id, state }: Pick<AttemptDocument, "id" | "state">): boolean {
  const { data } = useQuery({ ...continuesQuery(id), enabled: state === "removed" });
  return state !== "canceled" && (state !== "removed" || data !== false);
}
