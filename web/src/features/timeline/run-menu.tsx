/** What can be done with a run: go back to it, fork from it, repeat it, push it again. */
import type { RunDocument } from "@contract/task-document.ts";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { answerOf, api } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { useRetry, useStop } from "../attempts/act.ts";
import { isWorking } from "./rows.ts";
import { useTimelineActs } from "./timeline-acts.ts";

export function RunMenu({ run }: { readonly run: RunDocument }) {
  const { t } = useTranslation("timeline");
  const items = useRunItems(run);
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="button"
          data-kind="quiet"
          data-size="small"
          data-icon=""
          aria-label={t("runActs", { number: run.number })}
        >
          <Ellipsis size={16} aria-hidden="true" />
        </button>
      }
      items={items}
    />
  );
}

function useRunItems(run: RunDocument): readonly MenuItem[] {
  const { t } = useTranslation("timeline");
  const navigate = useNavigate();
  const { showDiff, fork } = useTimelineActs();
  const retry = useRetry();
  const stop = useStop();
  const restore = useRestoreRun();
  const works = isWorking(run);
  const off = works ? t("whileWorks") : null;
  const noTree = off ?? (run.patch === null && run.commit === null ? t("noTree") : null);
  return [
    { words: t("showDiff"), run: () => showDiff(run.id), off: run.patch === null ? t("noTree") : null },
    { words: t("restoreTo"), asks: "restoreRun", run: () => restore.mutate(run.id), off: noTree },
    { words: t("forkFrom"), asks: "fork", run: () => fork(run), off: noTree },
    { words: t("tryAgain"), asks: "retry", run: () => retry.mutate({ run: run.id, from: "start" }), off },
    {
      words: t("pushAgain"),
      asks: "retry",
      run: () => retry.mutate({ run: run.id, from: "push" }),
      off: off ?? (run.commit === null ? t("noCommit") : null),
    },
    {
      words: t("checksAgain"),
      asks: "retry",
      run: () => retry.mutate({ run: run.id, from: "checks" }),
      off: off ?? (run.commit === null ? t("noCommit") : null),
    },
    {
      words: t("operations"),
      run: () => void navigate({ to: "/activity", search: { subject: run.id } }),
    },
    ...(works
      ? [
          {
            words: t("stop"),
            asks: "stop" as const,
            run: () => stop.mutate({ type: "run", id: run.id }),
            danger: true,
          },
        ]
      : []),
  ];
}

/** The files as they were before are kept; the operation that did it can be undone. */
function useRestoreRun() {
  const { t } = useTranslation("timeline");
  const undo = useMutation({
    mutationFn: (operation: string) => answerOf(api.undo(operation)),
    onError: tellProblem,
  });
  return useMutation({
    mutationFn: (run: string) => answerOf(api.restoreRun(run)),
    onError: tellProblem,
    onSuccess: ({ operation }) =>
      tell({
        title: t("restored"),
        undo: operation.undoable ? () => undo.mutate(operation.id) : undefined,
      }),
  });
}
