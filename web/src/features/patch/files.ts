/** Reads the list of changed files in pages. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import type { Side } from "./sides.ts";

const PAGE = 200;

export const filesQuery = (attempt: string, side: Side) =>
  infiniteQueryOptions({
    queryKey: ["changes", attempt, side.kind, side.kind === "run" ? side.run.id : null],
    queryFn: ({ pageParam }) => {
      const page = { files: "only", cursor: pageParam, limit: PAGE } as const;
      if (side.kind === "run") return answerOf(api.runDiffFiles(side.run.id, page));
      return answerOf(api.diffFiles(attempt, { ...page, since: side.kind === "since" ? side.run : null }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    meta: {
      renewedBy: (fact) =>
        fact.attempt === attempt && (fact.kind === "run.state" || fact.kind === "attempt.changed"),
    },
  });
