/** Reads comparisons, and what the base did meanwhile; facts of the task renew them. */
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import { movesBase } from "../attempts/situation.ts";

/** They come once a second, and git compares each time. */
const PASSING: ReadonlySet<string> = new Set(["run.action", "run.usage"]);

export const comparisonQuery = (task: string, hideNames: boolean) =>
  queryOptions({
    queryKey: ["comparison", task, hideNames],
    queryFn: () => answerOf(api.compare(task, { hide_names: hideNames })),
    meta: { renewedBy: (fact) => fact.task === task && !PASSING.has(fact.kind) },
  });

/** Whether it merges into its base as that is now. Git is asked once, and again after facts of the task or of a base. */
export const situationQuery = (of: { readonly task: string; readonly attempt: string }) =>
  queryOptions({
    queryKey: ["situation", of.attempt, "merges"],
    queryFn: () => oneAtATime(() => answerOf(api.situation(of.attempt, { look: true }))),
    meta: {
      renewedBy: (fact) =>
        movesBase(fact) || (fact.task === of.task && ["run.state", "attempt.changed"].includes(fact.kind)),
    },
  });

let last: Promise<unknown> = Promise.resolve();

/** Git looks long, and a browser has few connections: what a person waits for goes first. */
function oneAtATime<T>(act: () => Promise<T>): Promise<T> {
  const next = last.then(act);
  last = next.catch(() => null);
  return next;
}
