/** Reads operations: the newest page follows the facts, older pages are read once. */
import type { FactDocument } from "@contract/endpoints/operations.ts";
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { answerOf, api } from "../../data/api.ts";
import { type OperationsAsked, operationsQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { merged } from "./operations.ts";
import { useOperationWords } from "./use-operation-words.ts";

const NEWEST = 100;

/** How often Tazuna stepped in lately; at most a page of them is counted. */
export function useStepped(asked: Pick<OperationsAsked, "subject" | "repository">): number {
  const { subject, repository } = asked;
  const query = { subject, repository, group: "stepped" as const, limit: NEWEST };
  const { data } = useQuery({
    queryKey: ["operations", "stepped", subject, repository],
    queryFn: () => answerOf(api.operations(query)),
    meta: { renewedBy: isNews },
  });
  return data?.items.length ?? 0;
}

/** What others did is recorded without a fact of its own, while a run changes its state. */
const isNews = ({ kind }: FactDocument) => kind === "operation.done" || kind === "run.state";

export function useOperations(asked: OperationsAsked) {
  const older = useInfiniteQuery({ ...operationsQuery(asked), placeholderData: keepPreviousData });
  const { data: newest } = useQuery({
    queryKey: ["operations", "newest", asked],
    queryFn: () => answerOf(api.operations({ ...asked, limit: NEWEST })),
    enabled: older.data !== undefined,
    meta: { renewedBy: isNews },
  });
  const operations = useMemo(
    () => merged(newest?.items ?? [], ...(older.data?.pages ?? []).map(({ items }) => items)),
    [newest, older.data],
  );
  return { older, operations };
}

/** An undo that can itself be undone is offered at once. */
export function useUndo() {
  const { t } = useTranslation("activity");
  const { what } = useOperationWords();
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: (operation: { readonly id: string; readonly kind: string }) =>
      answerOf(api.undo(operation.id)),
    onError: tellProblem,
    onSettled: () => client.invalidateQueries({ queryKey: ["operations"] }),
    onSuccess: ({ operation }, { kind }) =>
      tell({
        title: t("undoDone", { what: what(kind) }),
        undo: operation.undoable ? () => undo.mutate(operation) : undefined,
      }),
  });
  return undo;
}
