/** Answers "why red?": the same check on the base, run when a person asks, with its own log. */
import { cleanText } from "@contract/text.ts";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Ref, useEffect, useRef } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { OutputBlock } from "../../ui/output-block.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { tellProblem } from "../../ui/toast.tsx";

type Checks = Awaited<ReturnType<typeof readChecks>>;
type CheckOnBase = Checks["items"][number];

const readChecks = (attempt: string) => answerOf(api.checks(attempt));

const CHANGING = new Set(["check.base", "run.state"]);

const checksQuery = (attempt: string) =>
  queryOptions({
    queryKey: ["checks", attempt],
    queryFn: () => readChecks(attempt),
    meta: {
      renewedBy: (fact) => fact.attempt === attempt && CHANGING.has(fact.kind),
      endsWithServer: (data) =>
        (data as Checks | undefined)?.items.some((each) => each.base_running) === true,
    },
  });

export function BaseCheck({ attempt, name }: { readonly attempt: string; readonly name: string }) {
  const { t } = useTranslation("checks");
  const client = useQueryClient();
  const { data } = useQuery(checksQuery(attempt));
  const run = useMutation({
    mutationFn: (again: boolean) => answerOf(api.checkBase(attempt, { name, again })),
    onSuccess: (said) => client.setQueryData(checksQuery(attempt).queryKey, said),
    onError: tellProblem,
  });
  const check = data?.items.find((each) => each.name === name);
  const isTold = check?.base != null && !check.base_running;
  const { button, ask } = useKeptButton(isTold);
  // The check is not declared any more.
  if (check === undefined) return null;
  const begin = (again: boolean) => {
    ask();
    run.mutate(again);
  };
  const { base } = check;
  if (base === null || check.base_running)
    return (
      <Button
        ref={button}
        size="small"
        busy={check.base_running || run.isPending}
        onClick={() => begin(false)}
      >
        {check.base_running ? t("runsOnBase") : t("runOnBase")}
      </Button>
    );
  return <BaseResult base={base} name={name} button={button} onAgain={() => begin(true)} />;
}

/** The button changes when the result is told; who pressed it, and went nowhere else, keeps the focus there. */
function useKeptButton(isTold: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button changes with it.
  useEffect(() => {
    if (wasAsked.current && document.activeElement === document.body) button.current?.focus();
  }, [isTold]);
  return {
    button,
    ask: () => {
      wasAsked.current = true;
    },
  };
}

function BaseResult(props: {
  readonly base: NonNullable<CheckOnBase["base"]>;
  readonly name: string;
  readonly button: Ref<HTMLButtonElement>;
  readonly onAgain: () => void;
}) {
  const { t } = useTranslation("checks");
  const { span } = useFormat();
  const { outcome, output, sha, duration_ms } = props.base;
  const verdict = outcome === "passed" ? "pass" : outcome === "not_run" ? "skipped" : "fail";
  return (
    <div role="status" className="w-full">
      <p className="flex flex-wrap items-center gap-1.5 text-small">
        <VerdictSign verdict={verdict} />
        <span>{t(`base_${outcome}`)}</span>
        <code className="text-fine text-ink-3">{sha.slice(0, 7)}</code>
        <span className="text-fine text-ink-3 tabular-nums">{span(duration_ms)}</span>
        <Button ref={props.button} kind="quiet" size="small" onClick={props.onAgain}>
          {t("again")}
        </Button>
      </p>
      {outcome !== "passed" && output.trim() !== "" && (
        <OutputBlock text={cleanText(output)} label={t("logOnBase", { name: props.name })} />
      )}
    </div>
  );
}
