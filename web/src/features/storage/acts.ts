/** Moves worktrees to the trash, brings them back, and empties the trash. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { trashQuery } from "./queries.ts";

/** The list is read again at once; a new scan tells the rest. */
function useRenew() {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ["storage"] });
    await answerOf(api.scanStorage()).catch(() => null);
  };
}

const MOST_AT_ONCE = 200;

/**
 * Each is named, so that what a general clean-up would keep goes too, after its snapshot. `onAsked` gets those that were
 * asked for; more than the server takes at once are left for another press.
 */
export function useMoveToTrash(onAsked: (ids: readonly string[]) => void) {
  const { t } = useTranslation("storage");
  const renew = useRenew();
  const restore = useRestoreAll();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const asked = ids.slice(0, MOST_AT_ONCE);
      const { removed, kept } = await answerOf(api.clean({ ids: asked, yes: true }));
      return { asked, removed: removed.map(({ id }) => id), kept: kept.map(({ reason }) => reason) };
    },
    onError: tellProblem,
    onSettled: renew,
    onSuccess: ({ asked, removed, kept }, ids) => {
      onAsked(asked);
      const left = ids.length - asked.length;
      const texts = [
        ...(left === 0 ? [] : [t("leftSelected", { count: left })]),
        ...(kept.length === 0 ? [] : [t("stayed", { count: kept.length, reason: kept[0] ?? "" })]),
      ];
      tell({
        title: t("moved", { count: removed.length }),
        ...(texts.length === 0 ? {} : { text: texts.join(" ") }),
        undo: removed.length === 0 ? undefined : () => restore.mutate(removed),
      });
    },
  });
}

/** Takes the attempts with these ids out of the trash again. */
function useRestoreAll() {
  const { t } = useTranslation("storage");
  const renew = useRenew();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (attempts: readonly string[]) => {
      const entries = await client.fetchQuery({ ...trashQuery, staleTime: 0 });
      const wanted = entries.filter(({ attempt }) => attempts.includes(attempt));
      for (const { id } of wanted) await answerOf(api.restoreTrash(id));
      return wanted.length;
    },
    onError: tellProblem,
    onSettled: renew,
    onSuccess: (count) => tell({ title: t("restored", { count }) }),
  });
}

export function useRestore() {
  const { t } = useTranslation("storage");
  const renew = useRenew();
  return useMutation({
    mutationFn: (entry: string) => answerOf(api.restoreTrash(entry)),
    onError: tellProblem,
    onSettled: renew,
    onSuccess: () => tell({ title: t("restored", { count: 1 }) }),
  });
}

export function useEmptyTrash(onEmptied: () => void) {
  const { t } = useTranslation("storage");
  const renew = useRenew();
  return useMutation({
    mutationFn: () => answerOf(api.emptyTrash({ yes: true })),
    onError: tellProblem,
    onSettled: renew,
    onSuccess: ({ removed, kept }) => {
      onEmptied();
      tell({
        title: t("emptied", { count: removed.length }),
        ...(kept.length === 0
          ? {}
          : { text: t("stayed", { count: kept.length, reason: kept[0]?.reason ?? "" }) }),
      });
    },
  });
}

/** Final: the words say so before and after. */
export function useDeleteLog() {
  const { t } = useTranslation("storage");
  const { bytes } = useFormat();
  const renew = useRenew();
  return useMutation({
    mutationFn: (run: string) => answerOf(api.removeLogs({ runs: [run] })),
    onError: tellProblem,
    onSettled: renew,
    onSuccess: ({ removed, kept }) => {
      const [gone] = removed;
      if (gone === undefined) tell({ title: t("stayed", { count: 1, reason: kept[0]?.reason ?? "" }) });
      else tell({ title: t("logDeleted", { bytes: bytes(gone.bytes) }), text: t("logDeletedText") });
    },
  });
}
