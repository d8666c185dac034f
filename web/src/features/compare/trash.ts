/** Moves attempts to the trash after a snapshot, and offers to bring them back. */
import { useMutation } from "@tanstack/react-query";
import { answerOf, api, Refused } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";

export function useTrash() {
  const { t } = useTranslation("compare");
  return useMutation({
    mutationFn: async (attempts: readonly string[]) => {
      const moved: string[] = [];
      for (const id of attempts) {
        const canceled = await api.cancel({ type: "attempt", id });
        if (canceled.isErr()) return { moved, problem: new Refused(canceled.error) };
        moved.push(id);
      }
      return { moved, problem: null };
    },
    onError: tellProblem,
    // If one cannot go, those before it are gone all the same.
    onSuccess: ({ moved, problem }) => {
      if (moved.length > 0)
        tell({
          title: t("trashed", { count: moved.length }),
          undo: () => void restore(moved).catch(tellProblem),
        });
      if (problem !== null) tellProblem(problem);
    },
  });
}

async function restore(attempts: readonly string[]): Promise<void> {
  for (const id of attempts) await answerOf(api.restoreTrash(id));
}
