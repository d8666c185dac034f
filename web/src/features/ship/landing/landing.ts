/** Carries out how an attempt's work comes home: merge, apply, revert, update the branch, put the worktree away. */
import type { CleanAnswer } from "@contract/endpoints/trash.ts";
import type { AttemptDocument } from "@contract/task-document.ts";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { answerOf, api, once, problemOf } from "../../../data/api.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../../ui/toast.tsx";
import { useShown } from "../../../ui/use-shown.ts";
import { useFollowUp } from "../../attempts/act.ts";

export function useLanding(attempt: Pick<AttemptDocument, "id">) {
  const { t } = useTranslation("landing");
  const navigate = useNavigate();
  const isShown = useShown();
  const followUp = useFollowUp(attempt.id);
  const merge = useMutation({
    mutationFn: (asked: { readonly squash: boolean; readonly here?: boolean }) =>
      answerOf(api.merge(attempt.id, asked)),
    onSuccess: ({ merge: { target, remote } }) =>
      tell({
        title: t("mergedNow", { target }),
        ...(remote !== null && remote.ahead > 0
          ? {
              text: t("aheadOf", {
                branch: target,
                count: remote.ahead,
                remote: `${remote.name}/${remote.branch}`,
              }),
            }
          : {}),
      }),
  });
  const apply = useMutation({
    mutationFn: () => answerOf(api.apply(attempt.id)),
    onError: tellProblem,
    onSuccess: ({ files, path }) => tell({ title: t("applied", { count: files.length, path }) }),
  });
  const revert = useMutation({
    mutationFn: (agent: string | null) => answerOf(api.revert(attempt.id, { agent }, once())),
    onError: (error) => {
      // The screen offers an agent then.
      if (problemOf(error).code !== "revert_conflict") tellProblem(error);
    },
    onSuccess: ({ task }) => {
      tell({ title: t("reverting") });
      if (isShown()) void navigate({ to: "/tasks/$id", params: { id: task.id } });
    },
  });
  const putAway = useMutation({
    mutationFn: () => answerOf(api.clean({ id: attempt.id, yes: true })),
    onError: tellProblem,
    onSuccess: (cleaned) => tell(putAwayWords(cleaned, t)),
  });
  const update = () =>
    followUp.mutate({ merge_base: true, resolve: true }, { onSuccess: () => tell({ title: t("updating") }) });
  return { merge, apply, revert, putAway, update, isUpdating: followUp.isPending };
}

type Translate = ReturnType<typeof useTranslation<"landing">>["t"];

function putAwayWords({ kept }: CleanAnswer, t: Translate) {
  const [first] = kept;
  return { title: first === undefined ? t("putAwayDone") : t("putAwayKept", { why: first.reason }) };
}
