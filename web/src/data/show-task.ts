/** Puts a task that was read, or that an act answered with, where every screen sees it. */
import type { AttemptDocument, ListedTask, TaskDocument } from "@contract/task-document.ts";
import type { QueryClient } from "@tanstack/react-query";
import { boardQuery } from "./queries.ts";

export function showTask(client: QueryClient, read: TaskDocument): void {
  client.setQueryData<TaskDocument>(["task", read.task.id], read);
  const listed: ListedTask = { ...read.task, attempts: read.attempts };
  client.setQueryData(boardQuery.queryKey, (tasks) =>
    tasks === undefined
      ? tasks
      : tasks.some((task) => task.id === listed.id)
        ? tasks.map((task) => (task.id === listed.id ? listed : task))
        : [listed, ...tasks],
  );
}

/**
 * Shows what an act has begun before its fact is read, so that nobody begins it again. An answer that is repeated may be
 * old: it is taken only if it has a run that nothing here knows.
 */
export function showBegun(client: QueryClient, made: TaskDocument): void {
  const { id } = made.task;
  const whole = client.getQueryData<TaskDocument>(["task", id]);
  const listed = client.getQueryData(boardQuery.queryKey)?.find((task) => task.id === id);
  const known = runsOf([...(whole?.attempts ?? []), ...(listed?.attempts ?? [])]);
  if (!runsOf(made.attempts).isSubsetOf(known)) showTask(client, made);
}

const runsOf = (attempts: readonly AttemptDocument[]) =>
  new Set(attempts.flatMap(({ runs }) => runs.map(({ id }) => id)));
