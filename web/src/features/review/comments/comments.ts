/** Reads the comments on an attempt's patch, and keeps, changes, closes and deletes them. */
import type { CommentDocument } from "@contract/endpoints/comments.ts";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api, once } from "../../../data/api.ts";
import { tellProblem } from "../../../ui/toast.tsx";
import type { LinePlace } from "../../diff/patch/line-of.ts";

const CHANGING = new Set(["comment.changed", "attempt.changed", "run.state"]);

export const commentsQuery = (attempt: string) =>
  queryOptions({
    queryKey: ["comments", attempt],
    queryFn: async (): Promise<readonly CommentDocument[]> => (await answerOf(api.comments(attempt))).items,
    meta: { renewedBy: (fact) => fact.attempt === attempt && CHANGING.has(fact.kind) },
  });

/** What is shown changes as soon as the server has agreed, before its fact comes. */
function useTaken(attempt: string) {
  const client = useQueryClient();
  return (change: (comments: readonly CommentDocument[]) => readonly CommentDocument[]) =>
    client.setQueryData(commentsQuery(attempt).queryKey, (held) => held && change(held));
}

/** Of the drafts that are being kept. */
export const keepingKey = (attempt: string) => ["keep draft", attempt];

export function useKeepDraft(attempt: string) {
  const take = useTaken(attempt);
  return useMutation({
    mutationKey: keepingKey(attempt),
    mutationFn: ({ place, body }: { readonly place: LinePlace; readonly body: string }) => {
      const { path, line, endLine, side } = place;
      return answerOf(api.addComment(attempt, { path, line, end_line: endLine, side, body }, once()));
    },
    onSuccess: (made) => take((all) => [...all.filter(({ id }) => id !== made.id), made]),
    onError: tellProblem,
  });
}

interface Change {
  readonly id: string;
  readonly body?: string;
  readonly resolved?: boolean;
}

export function useChangeComment(attempt: string) {
  const take = useTaken(attempt);
  return useMutation({
    mutationFn: ({ id, ...change }: Change) => answerOf(api.changeComment(id, change)),
    onSuccess: (made) => take((all) => all.map((each) => (each.id === made.id ? made : each))),
    onError: tellProblem,
  });
}

/** `onRemoved` comes also if the card of the draft is gone by then. */
export function useRemoveDraft(attempt: string, onRemoved: () => void) {
  const take = useTaken(attempt);
  return useMutation({
    mutationFn: (id: string) => answerOf(api.removeComment(id)),
    onSuccess: (gone) => {
      take((all) => all.filter(({ id }) => id !== gone.id));
      onRemoved();
    },
    onError: tellProblem,
  });
}
