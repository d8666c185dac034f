/** Marks files as viewed. A mark is shown at once, since taking it costs nothing. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { answerOf, api } from "../../../data/api.ts";
import { tellProblem } from "../../../ui/toast.tsx";
import { viewedQuery } from "../../attempts/viewed.ts";

/** `changed`: the file's patch is another one since. */
export type Mark = "none" | "viewed" | "changed";

export interface ViewedMarks {
  readonly markOf: (path: string) => Mark;
  readonly set: (path: string, viewed: boolean) => void;
  /** The newest run that was looked at. */
  readonly seenRun: string | null;
  readonly isKnown: boolean;
}

export function useViewedMarks(attempt: string): ViewedMarks {
  const client = useQueryClient();
  const query = viewedQuery(attempt);
  const mutationKey = ["viewed", attempt];
  const { data } = useQuery(query);
  const marks = useMemo(() => new Map(data?.items.map(({ path, changed }) => [path, changed])), [data]);
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: (mark: { readonly path: string; readonly viewed: boolean }) =>
      inTurn(`${attempt} ${mark.path}`, () => answerOf(api.markViewed(attempt, mark))),
    onMutate: async ({ path, viewed }) => {
      const before = client.getQueryData(query.queryKey);
      // An answer that is under way does not know the mark yet. The first answer is needed all the same.
      if (before !== undefined) await client.cancelQueries({ queryKey: query.queryKey });
      client.setQueryData(query.queryKey, (held) => {
        if (held === undefined) return held;
        const others = held.items.filter((item) => item.path !== path);
        const mark = { path, at: new Date().toISOString(), changed: false };
        return { ...held, items: viewed ? [...others, mark] : others };
      });
      return before?.items.find((item) => item.path === path);
    },
    // Marks that were set meanwhile stay.
    onError: (error, { path }, before) => {
      client.setQueryData(query.queryKey, (held) => {
        if (held === undefined) return held;
        const others = held.items.filter((item) => item.path !== path);
        return { ...held, items: before === undefined ? others : [...others, before] };
      });
      // The server may not know those yet that are under way.
      if (client.isMutating({ mutationKey }) === 1)
        void client.invalidateQueries({ queryKey: query.queryKey });
      tellProblem(error);
    },
  });
  return {
    markOf: (path) => (marks.has(path) ? (marks.get(path) === true ? "changed" : "viewed") : "none"),
    set: (path, viewed) => mutate({ path, viewed }),
    seenRun: data?.seen_run ?? null,
    isKnown: data !== undefined,
  };
}

/** What is under way, by file. */
const turns = new Map<string, Promise<unknown>>();

/** Requests that overtake each other would leave the older mark. */
async function inTurn<T>(key: string, act: () => Promise<T>): Promise<T> {
  const own = (turns.get(key) ?? Promise.resolve()).catch(() => undefined).then(act);
  turns.set(key, own);
  try {
    return await own;
  } finally {
    if (turns.get(key) === own) turns.delete(key);
  }
}
