/** Asks who looks at this page, what they may do, and who else has signed in through the identity provider. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";

export const youQuery = queryOptions({
  queryKey: ["you"],
  queryFn: () => answerOf(api.you()),
  meta: { renewedBy: ({ kind }) => kind === "people.changed" },
});

/** Who works alone has an empty list. */
export const peopleQuery = queryOptions({
  queryKey: ["people"],
  queryFn: async () => (await answerOf(api.people())).items,
  meta: { renewedBy: ({ kind }) => kind === "people.changed" },
});

/** `isAdmin` as long as it is not known: mostly the owner of the machine looks. `isTeam`: people have signed in. */
export function useYou() {
  const { data: you } = useQuery(youQuery);
  const isAdmin = you == null || you.scope === "admin";
  const { data: people } = useQuery({ ...peopleQuery, enabled: isAdmin });
  return { person: you?.person ?? null, isAdmin, isTeam: people !== undefined && people.length > 0 };
}
