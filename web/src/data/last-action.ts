/** Holds what each run did last under a key of its own, so that a live line draws itself alone. */
import type { FactDocument } from "@contract/endpoints/operations.ts";
import type { RunDocument } from "@contract/task-document.ts";
import { type QueryClient, queryOptions, skipToken, useQuery } from "@tanstack/react-query";

type Did = Pick<RunDocument, "id" | "last_action">;
type LastAction = NonNullable<RunDocument["last_action"]>;

/** Nothing reads it from the server: facts bring it. */
const lastActionQuery = (run: string) =>
  queryOptions<LastAction>({ queryKey: ["last action", run], queryFn: skipToken });

/** The newer one of what facts told and what the run was read with; null if it did nothing yet. */
export function useLastAction(run: Did | null): LastAction | null {
  const { data: told } = useQuery(lastActionQuery(run?.id ?? ""));
  return newer(told, run?.last_action ?? null);
}

/** The same at this moment. */
export function newestAction(client: QueryClient, { id, last_action: read }: Did): LastAction | null {
  return newer(client.getQueryData(lastActionQuery(id).queryKey), read);
}

function newer(told: LastAction | undefined, read: LastAction | null): LastAction | null {
  return told !== undefined && (read === null || read.at < told.at) ? told : read;
}

/** Many agents that talk would draw their lines one after the other. */
const TOGETHER_MS = 50;

/** Takes facts of actions. The first is shown at once, those that follow it together. */
export function createActionNoter(client: QueryClient): (fact: FactDocument) => void {
  const pending = new Map<string, LastAction>();
  let isPausing = false;
  const flush = () => {
    for (const [run, action] of pending) client.setQueryData(lastActionQuery(run).queryKey, action);
    pending.clear();
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      if (pending.size > 0) flush();
    }, TOGETHER_MS);
  };
  return ({ run, at, data }) => {
    if (run === null || typeof data.title !== "string") return;
    pending.set(run, { at, text: data.title });
    if (!isPausing) flush();
  };
}
