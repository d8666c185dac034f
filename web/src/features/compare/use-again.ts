/** Does something of an attempt again: its checks on what is committed, or all of it from the base as it is now. */
import { workRuns } from "@contract/words/attempt-standing.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell } from "../../ui/toast.tsx";
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
