/** Says what ending an attempt keeps, and ends it; the trash brings it back. */
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { useCancel } from "../attempts/act.ts";
import type { AttemptCard } from "../attempts/cards.ts";
import { useSituation } from "../attempts/situation.ts";
import { workingRun } from "./working-run.ts";

export default function CancelDialog(props: { readonly shown: AttemptCard; readonly onClose: () => void }) {
  const { t } = useTranslation("continue");
  const { attempt, letter } = props.shown;
  const { situation } = useSituation(attempt.id);
  const keep = useRef<HTMLButtonElement>(null);
  const cancel = useCancel();
  const restore = useMutation({
    mutationFn: () => answerOf(api.restoreTrash(attempt.id)),
    onError: tellProblem,
  });
  const onCanceled = () => {
    props.onClose();
    tell({ title: t("canceledToast"), undo: () => restore.mutate() });
  };
  // The dialog may be closed before the answer: the way back is told all the same.
  const act = () =>
    void cancel.mutateAsync({ type: "attempt", id: attempt.id }).then(onCanceled, () => undefined);
  const queued = attempt.runs.filter(({ status }) => status === "PENDING").length;
  const kept = [
    t("keptSnapshot"),
    t("keptTrash"),
    attempt.commit === null
      ? t("keptNoCommit")
      : t("keptBranch", { branch: attempt.branch, commit: attempt.commit.slice(0, 7) }),
  ];
  return (
    <Dialog open onClose={props.onClose} title={t("cancelTitle", { letter })} firstFocus={keep}>
      <div className="flex flex-col gap-3 text-small">
        {workingRun(attempt.runs) !== null && <p className="text-needs-ink">{t("cancelWorks")}</p>}
        {situation?.worktree.dirty === true && <p className="text-needs-ink">{t("cancelDirty")}</p>}
        {queued > 0 && <p className="text-needs-ink">{t("cancelQueued", { count: queued })}</p>}
        <ul className="list-disc pl-4 text-ink-2 [overflow-wrap:anywhere]">
          {kept.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
        <span className="flex justify-end gap-2">
          <Button ref={keep} onClick={props.onClose}>
            {t("keepAttempt")}
          </Button>
          <Button kind="danger" busy={cancel.isPending} onClick={act}>
            {t("cancelNow")}
          </Button>
        </span>
      </div>
    </Dialog>
  );
}
