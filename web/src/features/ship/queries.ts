/** Reads what the way out needs: the gate, what a pull request would say, the pull request as its forge has it. */
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";

interface ShipOf {
  readonly task: string;
  readonly attempt: string;
}

export const gateQuery = ({ task, attempt }: ShipOf) =>
  queryOptions({
    queryKey: ["gate", attempt],
    queryFn: () => answerOf(api.gate(attempt)),
    meta: {
      renewedBy: (fact) => fact.task === task && ["run.state", "attempt.changed"].includes(fact.kind),
    },
  });

const CHANGES_WORDS = [
  "run.state",
  "attempt.changed",
  "task.decided",
  "pull_request.changed",
  "draft.changed",
];

export const previewQuery = ({ task, attempt }: ShipOf) =>
  queryOptions({
    queryKey: ["pull_preview", attempt],
    queryFn: () => answerOf(api.previewPullRequest(attempt)),
    meta: { renewedBy: (fact) => fact.task === task && CHANGES_WORDS.includes(fact.kind) },
  });

/** With checks and threads. */
export const pullQuery = ({ task, attempt }: ShipOf) =>
  queryOptions({
    queryKey: ["pull_request", attempt],
    queryFn: () => answerOf(api.pullRequest(attempt)),
    meta: { renewedBy: (fact) => fact.task === task && fact.kind === "pull_request.changed" },
  });

/** How often the loop sends failures by itself; the same number counts what a person sends. */
export const fixAttemptsQuery = (repository: string) =>
  queryOptions({
    queryKey: ["config", repository, "forge.fix_loop.attempts"],
    queryFn: async () => {
      const { items } = await answerOf(api.config({ repository }));
      const value = items.find(({ key }) => key === "forge.fix_loop.attempts")?.value;
      return typeof value === "number" ? value : null;
    },
    meta: { renewedBy: ({ kind }) => kind === "settings.changed" },
  });
