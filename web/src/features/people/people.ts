/** Asks who looks at this page, what they may do, and who else has signed in through the identity provider. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import { useIsKnown, useWhyNot } from "../../data/may.ts";

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

/** `isTeam`: people have signed in. Those who may not list them do not know. `isKnown`: what they may do is known. */
export function useYou() {
  const { data: you } = useQuery(youQuery);
  const mayList = useWhyNot()("people") === null;
  const isKnown = useIsKnown();
  const { data: people = [] } = useQuery({ ...peopleQuery, enabled: isKnown && mayList });
  return { person: you?.person ?? null, people, isTeam: people.length > 0, isKnown };
}
