/** Opens the pull request of an attempt, or brings the one that is there up to date. */
import { useMutation } from "@tanstack/react-query";
import { answerOf, api, once } from "../../../data/api.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../../ui/toast.tsx";

export function useOpen(attempt: string) {
  const { t } = useTranslation("ship");
  return useMutation({
    mutationFn: (asked: {
      readonly title: string | null;
      readonly body: string | null;
      readonly draft: boolean;
    }) => answerOf(api.openPullRequest(attempt, asked, once())),
    onError: tellProblem,
    onSuccess: ({ pull_request: { number } }) =>
      tell({ title: number === null ? t("askedPull") : t("openedPull", { number }) }),
  });
}
