/** Renews the query cache by facts: a task is read again at most four times a second. */
import type { FactDocument } from "@contract/endpoints/operations.ts";
import type { ApiError } from "@contract/problem.ts";
import { hashKey, type Query, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { api } from "./api.ts";
import { createActionNoter } from "./last-action.ts";
import { boardQuery } from "./queries.ts";
import { showTask } from "./show-task.ts";

const RENEW_MS = 250;
/** An agent that works tells its cost once a second, and the whole task is read for it. */
const USAGE_MS = 5_000;

const REFUSED_MS = 2_000;

interface FactTaker {
  take(fact: FactDocument): void;
  /** Reads again what could not be read, and what may have ended with the server before: no facts come of these. */
  again(): void;
}

export function createFactTaker(client: QueryClient): FactTaker {
  const unread = new Set<string>();
  const noteAction = createActionNoter(client);
  const renewTask = throttledByKey(RENEW_MS, async (task: string): Promise<void> => {
    const read = await readTask(client, task);
    if (read === "read") unread.delete(task);
    else unread.add(task);
    // A server that has just begun, or has much to do, refuses for a moment, and its stream stays open.
    if (read === "refused") setTimeout(() => unread.has(task) && renewTask(task), REFUSED_MS);
  });
  const renewUsage = throttledByKey(USAGE_MS, async (task: string) => renewTask(task));
  const cache = client.getQueryCache();
  const renewQuery = throttledByKey(RENEW_MS, async (hash: string, queryKey: QueryKey) => {
    // A first answer that is under way is not asked for again, though it may be older than the fact.
    await underWay(client, queryKey);
    await client.invalidateQueries({ queryKey, exact: true });
    const isPart = ({ meta }: Query) => meta?.after !== undefined && hashKey(meta.after) === hash;
    await client.invalidateQueries({ predicate: isPart });
  });
  const isOld = (query: Query | undefined, fact: FactDocument) => query?.meta?.renewedBy?.(fact) === true;
  const renew = ({ queryKey, queryHash, meta }: Query, fact: FactDocument) => {
    const whole = meta?.after && cache.get(hashKey(meta.after));
    if (!isOld(whole, fact)) renewQuery(queryHash, queryKey);
  };
  return {
    take: (fact) => {
      if (fact.kind === "run.action") noteAction(fact);
      else if (fact.kind === "run.usage" && fact.task !== null) renewUsage(fact.task);
      else if (fact.task !== null) renewTask(fact.task);
      for (const query of cache.getAll()) if (isOld(query, fact)) renew(query, fact);
    },
    again: () => {
      for (const task of unread) renewTask(task);
      const couldNot = ({ state }: Query) => state.status === "error" || state.isInvalidated;
      void client.refetchQueries({ type: "active", predicate: couldNot }, { cancelRefetch: false });
      const mayBeOver = ({ state, meta }: Query) => meta?.endsWithServer?.(state.data) === true;
      void client.invalidateQueries({ predicate: mayBeOver });
    },
  };
}

/** Once these are over, a new stream begins, and what was not read is read then. */
const NEW_STREAM: ReadonlySet<ApiError["kind"]> = new Set(["unreachable", "unauthorized", "forbidden"]);

/** Reads the task whole, for every screen that shows it or one of its attempts. A task that is gone counts as read. */
async function readTask(client: QueryClient, id: string): Promise<"read" | "refused" | "no server"> {
  // An answer that is under way may be older than the fact, and would replace what is read now.
  await Promise.all([underWay(client, boardQuery.queryKey), underWay(client, ["task", id])]);
  const isShown = client.getQueryData(boardQuery.queryKey) !== undefined;
  if (!isShown && client.getQueryData(["task", id]) === undefined) return "read";
  const answer = await api.task(id);
  if (answer.isErr()) {
    const { kind } = answer.error;
    if (kind === "not_found") return "read";
    return NEW_STREAM.has(kind) ? "no server" : "refused";
  }
  showTask(client, answer.value);
  return "read";
}

function underWay(client: QueryClient, queryKey: QueryKey): Promise<unknown> {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  const isFetching = query?.state.fetchStatus === "fetching";
  return isFetching ? (query?.promise ?? Promise.resolve()).catch(() => undefined) : Promise.resolve();
}

/** At most one act for each key in `ms`, and one more at the end if it was asked for. */
function throttledByKey<Rest extends readonly unknown[]>(
  ms: number,
  act: (key: string, ...rest: Rest) => Promise<unknown>,
) {
  const waiting = new Map<string, Rest | null>();
  const begin = async (key: string, rest: Rest) => {
    waiting.set(key, null);
    const pause = new Promise((resolve) => setTimeout(resolve, ms));
    await act(key, ...rest);
    await pause;
    const again = waiting.get(key);
    waiting.delete(key);
    if (again !== null && again !== undefined) await begin(key, again);
  };
  return (key: string, ...rest: Rest) => {
    if (waiting.has(key)) waiting.set(key, rest);
    else void begin(key, rest);
  };
}
