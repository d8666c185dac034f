/** The keys of an attempt's screen. */
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useStop } from "../attempts/act.ts";
import { runsWithDiff } from "../attempts/runs-with-diff.ts";
import type { ShownAttempt } from "../attempts/use-attempt.ts";
import { type KeyBinding, useKeys } from "../keys/keys.ts";
import { workingRun } from "./working-run.ts";

export function useAttemptKeys(options: {
  readonly found: ShownAttempt;
  readonly onWrite: () => void;
  readonly onRun: (run: string) => void;
  readonly onFacts: () => void;
}): void {
  const { t } = useTranslation("keys");
  const navigate = useNavigate();
  const router = useRouter();
  const stop = useStop();
  const { shown, siblings } = options.found;
  const { attempt, task } = shown;
  const params = { id: attempt.id };
  const toSibling = (by: 1 | -1) => () => {
    const next = siblings[siblings.findIndex((each) => each.attempt.id === attempt.id) + by];
    if (next !== undefined) void navigate({ to: "/attempts/$id", params: { id: next.attempt.id } });
  };
  const press = (act: string) => () =>
    document.querySelector<HTMLButtonElement>(`main [data-act=${act}]`)?.click();
  const working = workingRun(attempt.runs);
  const runs = runsWithDiff(attempt);
  const bindings: readonly KeyBinding[] = [
    { spec: "r", words: t("write"), run: options.onWrite, inBar: true },
    {
      spec: "s",
      words: t("stop"),
      run: () => working !== null && stop.mutate({ type: "run", id: working.id }),
      inBar: working !== null,
    },
    { spec: "a", words: t("suggested"), run: press("suggested"), inBar: working?.question != null },
    { spec: "d", words: t("deny"), run: press("deny"), inBar: working?.question != null },
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => ({
      spec: String(number),
      words: t("runDiff"),
      run: () => {
        const run = runs.find((each) => each.number === number);
        if (run !== undefined) options.onRun(run.id);
      },
      inBar: number <= 3 && runs.some((each) => each.number === number),
    })),
    { spec: "h", words: t("attempt"), run: toSibling(-1), inBar: siblings.length > 1 },
    { spec: "l", words: t("attempt"), run: toSibling(1), inBar: siblings.length > 1 },
    {
      spec: "v",
      words: t("review"),
      run: () => void navigate({ to: "/attempts/$id/review", params }),
      inBar: true,
    },
    {
      spec: "=",
      words: t("compare"),
      run: () => void navigate({ to: "/tasks/$id", params: { id: task.id } }),
      inBar: siblings.length > 1,
    },
    {
      spec: "S",
      words: t("ship"),
      run: () => void navigate({ to: "/attempts/$id/ship", params }),
      inBar: true,
    },
    {
      spec: ".",
      words: t("actions"),
      run: () => document.querySelector<HTMLButtonElement>("main [data-menu]")?.click(),
      inBar: true,
    },
    { spec: "\\", words: t("facts"), run: options.onFacts, inBar: true },
    {
      spec: "escape",
      words: t("back"),
      run: () => (router.history.canGoBack() ? router.history.back() : void navigate({ to: "/" })),
      inBar: true,
    },
  ];
  useKeys(bindings);
}
