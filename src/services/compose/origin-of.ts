/** Says whose work an attempt is, so that what begins with it can name them. */
import { type Attempt, NO_AGENT } from "../../domain/attempt/attempt.ts";
import { executorsOf, type Source } from "../../domain/attempt/origin.ts";

/** A source that an attempt is. `executors` are its own, and those of what it began with. */
export function sourceOf(
  { id, agent, executor, origin }: Attempt,
  taken: Pick<Source, "runId" | "state" | "paths" | "files">,
): Source {
  const own = executor === NO_AGENT ? [] : [executor];
  const earlier = origin === null ? [] : executorsOf(origin);
  return {
    attemptId: id,
    agent: agent === NO_AGENT ? null : agent,
    executors: [...new Set([...earlier, ...own])],
    ...taken,
  };
}
