/** Names what is read from the server, each under the key by which facts renew it. */
import type { ListedTask } from "@contract/task-document.ts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "./api.ts";

/** The most tasks that a board holds at once. */
const BOARD_TASKS = 500;

/** Every task that is not put away, and the newest of the others. */
export const boardQuery = queryOptions({
  queryKey: ["board"],
  // What happens in a task renews that task alone; a repository takes its tasks along.
  meta: { renewedBy: ({ kind }) => kind === "repository.changed" },
  queryFn: async (): Promise<readonly ListedTask[]> => {
    const [open, all] = await Promise.all([openTasks(), answerOf(api.tasks({ all: true, limit: 50 }))]);
    const known = new Set(open.map(({ id }) => id));
    return [...open, ...all.items.filter(({ id }) => !known.has(id))];
  },
});

async function openTasks(): Promise<ListedTask[]> {
  const tasks: ListedTask[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof taskPage>> = await taskPage(cursor);
    tasks.push(...page.items);
    cursor = page.next;
  } while (cursor !== null && tasks.length < BOARD_TASKS);
  return tasks;
}

const taskPage = (cursor: string | null) => answerOf(api.tasks({ cursor, limit: 200 }));

export const taskQuery = (id: string) =>
  queryOptions({ queryKey: ["task", id], queryFn: () => answerOf(api.task(id)) });

export const attemptQuery = (id: string) =>
  queryOptions({ queryKey: ["attempt", id], queryFn: () => answerOf(api.attempt(id)) });

export const repositoriesQuery = queryOptions({
  queryKey: ["repositories"],
  queryFn: () => answerOf(api.repositories()),
  meta: { renewedBy: ({ kind }) => kind === "repository.changed" },
});

export const capacityQuery = queryOptions({
  queryKey: ["capacity"],
  queryFn: () => answerOf(api.capacity()),
  meta: { renewedBy: ({ kind }) => kind === "capacity.changed" || kind === "run.state" },
});

const AGENTS_MS = 30_000;

/** By the id of a repository: who is no admin may not name a folder of the machine. */
export const agentsQuery = (repository: string | null) =>
  queryOptions({
    queryKey: ["agents", repository],
    queryFn: () => answerOf(api.agents(repository === null ? {} : { repository })),
    // Nothing tells of a login or an installation: who opens a list of agents is told how they are now.
    staleTime: AGENTS_MS,
    meta: { renewedBy: ({ kind }) => kind === "settings.changed" },
  });

/** Which operations are asked for; null, false and an empty text narrow nothing. */
export interface OperationsAsked {
  readonly subject: string | null;
  readonly repository: string | null;
  readonly failed: boolean;
  readonly kind: string | null;
  readonly group: "git" | "worktrees" | "stepped" | null;
  readonly undoable: boolean;
  readonly text: string | null;
  /** Kinds that the words of this device mean, joined by commas. */
  readonly named: string;
}

export const operationsQuery = (asked: OperationsAsked) =>
  infiniteQueryOptions({
    queryKey: ["operations", asked],
    queryFn: ({ pageParam }) => answerOf(api.operations({ ...asked, cursor: pageParam, limit: 100 })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
