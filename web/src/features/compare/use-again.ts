/** Does something of an attempt again: its checks on what is committed, or all of it from the base as it is now. */
import { workRuns } from "@contract/words/attempt-standing.ts";
import { useMutation } from "@tanstack/react-query";
import { answerOf, api, once } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { useRetry, useStartAgain } from "../attempts/act.ts";
import type { AttemptColumn } from "./columns.ts";

export function useAgain({ letter, of }: AttemptColumn) {
  const { t } = useTranslation("compare");
  const retry = useRetry();
  const begin = useStartAgain();
  const runs = workRuns(of.attempt);
  const last = runs.findLast(({ ended_at }) => ended_at !== null);
  return {
    isWorking: runs.some(({ ended_at, held }) => ended_at === null && !held),
    checks: () =>
      last !== undefined &&
      retry.mutate(
        { run: last.id, from: "checks" },
        { onSuccess: () => tell({ title: t("checkingAgain", { letter }) }) },
      ),
    start: () => begin.mutate(of, { onSuccess: () => tell({ title: t("startedAgain") }) }),
  };
}

/** The checks of every attempt that has some, on what it committed; null if none can run. */
export function useCheckAll(columns: readonly AttemptColumn[]): (() => void) | null {
  const { t } = useTranslation("compare");
  const check = useMutation({
    mutationFn: async (all: readonly string[]) =>
      Promise.allSettled(all.map((run) => answerOf(api.retry(run, { from: "checks" }, once())))),
    onSuccess: (asked) => {
      const count = asked.filter(({ status }) => status === "fulfilled").length;
      if (count > 0) tell({ title: t("checkingAll", { count }) });
      const refused = asked.find((each) => each.status === "rejected");
      if (refused !== undefined) tellProblem(refused.reason);
    },
  });
  const runs = columns.flatMap(({ of: { attempt }, compared }) => {
    const all = workRuns(attempt);
    const isWorking = all.some(({ ended_at, held }) => ended_at === null && !held);
    const last = all.findLast(({ ended_at }) => ended_at !== null);
    const hasChecks = compared.checks !== null && compared.checks.length > 0;
    return !hasChecks || isWorking || attempt.commit === null || last === undefined ? [] : [last.id];
  });
  if (runs.length === 0) return null;
  return () => !check.isPending && check.mutate(runs);
}
