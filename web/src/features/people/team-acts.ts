/** Asks what was done to the team, page by page, the newest first. */
import { needsNames } from "@contract/words/actor-words.ts";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";

const PAGE = 20;

const teamActsQuery = infiniteQueryOptions({
  queryKey: ["team-acts"],
  queryFn: ({ pageParam }) => answerOf(api.teamActs({ cursor: pageParam, limit: PAGE })),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  meta: { renewedBy: ({ kind }) => kind === "team.act" },
});

/** Admins alone may ask. `isNamed`: somebody else than the owner of the only machine did some of it. */
export function useTeamActs({ isAdmin }: { readonly isAdmin: boolean }) {
  const query = useInfiniteQuery({ ...teamActsQuery, enabled: isAdmin });
  const acts = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return { query, acts, isNamed: needsNames(acts.map(({ actor }) => actor)) };
}
