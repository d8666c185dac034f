/** Moves attempts to the trash after a snapshot, and offers to bring them back. */
import { useMutation } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";

export function useTrash() {
  const { t } = useTranslation("compare");
  return useMutation({
    mutationFn: async (attempts: readonly string[]) => {
      for (const id of attempts) await answerOf(api.cancel({ type: "attempt", id }));
      return attempts;
    },
    onError: tellProblem,
    onSuccess: (attempts) =>
      tell({
        title: t("trashed", { count: attempts.length }),
        undo: () => void restore(attempts).catch(tellProblem),
      }),
  });
}

async function restore(attempts: readonly string[]): Promise<void> {
  for (const id of attempts) await answerOf(api.restoreTrash(id));
}
