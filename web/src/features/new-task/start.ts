/** Starts the task, shows its card on the board, and takes back what has not begun. */
import type { CreateTaskRequest } from "@contract/endpoints/tasks.ts";
import type { ListedTask, TaskDocument } from "@contract/task-document.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { answerOf, api, once } from "../../data/api.ts";
import { boardQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { focusCard } from "./focus-card.ts";

export function useStartTask(asked: CreateTaskRequest | null, onStarted: () => void) {
  const { t } = useTranslation("newTask");
  const client = useQueryClient();
  const navigate = useNavigate();
  // The same form twice is one task, even if its answer got lost.
  const key = useMemo(() => ({ for: JSON.stringify(asked), ...once() }), [asked]);
  const takeBack = async (task: string) => {
    const { cancelled, goOn } = await cancelUnbegun(task);
    tell({
      title: t("takenBack", { count: cancelled }),
      ...(goOn === 0 ? {} : { text: t("goesOn", { count: goOn }) }),
    });
  };
  return useMutation({
    mutationFn: (request: CreateTaskRequest) => answerOf(api.createTask(request, { key: key.key })),
    onError: tellProblem,
    onSuccess: async (made) => {
      onStarted();
      client.setQueryData(boardQuery.queryKey, (tasks) => withTask(tasks, made));
      await navigate({ to: "/" });
      focusCard(made.task.id);
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

/** An agent that works is not interrupted by taking a start back. */
async function cancelUnbegun(task: string): Promise<{ readonly cancelled: number; readonly goOn: number }> {
  const { attempts } = await answerOf(api.task(task));
  const unbegun = attempts.filter(({ runs }) => runs.every(({ status }) => status === "PENDING"));
  await Promise.all(unbegun.map(({ id }) => answerOf(api.cancel({ type: "attempt", id }))));
  return { cancelled: unbegun.length, goOn: attempts.length - unbegun.length };
}
