/** Starts the task, shows its card on the board, and takes back what has not begun. */
import type { CreateTaskRequest } from "@contract/endpoints/tasks.ts";
import type { ListedTask, TaskDocument } from "@contract/task-document.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { answerOf, api, once } from "../../data/api.ts";
import { boardQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { useShown } from "../../ui/use-shown.ts";
import { focusCard } from "./focus-card.ts";
import { sortForTakeBack } from "./taken-back.ts";

export function useStartTask(onStarted: () => void) {
  const { t } = useTranslation("newTask");
  const client = useQueryClient();
  const navigate = useNavigate();
  const isShown = useShown();
  const takeBack = async (task: string) => {
    const { unbegun, goOn, ended } = await cancelUnbegun(task);
    const rest = [
      ...(goOn.length === 0 ? [] : [t("goesOn", { count: goOn.length })]),
      ...(ended.length === 0 ? [] : [t("hadEnded", { count: ended.length })]),
    ];
    tell({
      title: unbegun.length === 0 ? t("takenBackNone") : t("takenBack", { count: unbegun.length }),
      ...(rest.length === 0 ? {} : { text: rest.join(" ") }),
    });
  };
  return useMutation({
    mutationFn: (request: CreateTaskRequest) => answerOf(api.createTask(request, once())),
    onError: tellProblem,
    onSuccess: async (made) => {
      const isHere = isShown();
      onStarted();
      client.setQueryData(boardQuery.queryKey, (tasks) => withTask(tasks, made));
      // Who went on meanwhile is not called back.
      if (isHere) {
        await navigate({ to: "/" });
        focusCard(made.task.id);
      }
      tell({
        title: t("started", { count: made.attempts.length }),
        undo: () => void takeBack(made.task.id).catch(tellProblem),
      });
    },
  });
}

function withTask(tasks: readonly ListedTask[] | undefined, { task, attempts }: TaskDocument) {
  if (tasks === undefined || tasks.some(({ id }) => id === task.id)) return tasks;
  return [{ ...task, attempts }, ...tasks];
}

async function cancelUnbegun(task: string) {
  const { attempts } = await answerOf(api.task(task));
  const sorted = sortForTakeBack(attempts);
  await Promise.all(sorted.unbegun.map(({ id }) => answerOf(api.cancel({ type: "attempt", id }))));
  return sorted;
}
