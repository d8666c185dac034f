/** A failure: its cause, its effect and what comes next, with the buttons that do it. */
import type { RunDocument } from "@contract/task-document.ts";
import { cleanLine, cleanText } from "@contract/text.ts";
import { mainDetailLines } from "@contract/words/detail-words.ts";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { answerOf, api, once } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { OutputBlock } from "../../ui/output-block.tsx";
import { StateSign } from "../../ui/state-sign.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { useFollowUp, useRetry, useStartAgain } from "../attempts/act.ts";
import { useAttempt } from "../attempts/use-attempt.ts";
import { useTimelineActs } from "./timeline-acts.ts";

type Remedy =
  | "continue"
  | "tryAgain"
  | "runSetupAgain"
  | "loggedIn"
  | "pushAgain"
  | "askAgent"
  | "seeFinding"
  | "askToRemove"
  | "freeSpace"
  | "copyReport"
  | "useOther"
  | "otherBase"
  | "startAgain"
  | "keepMine";

/** The remedies of design-system section 9, the first one first. */
const REMEDIES: Readonly<Record<string, readonly Remedy[]>> = {
  setup_failed: ["runSetupAgain"],
  agent_failed: ["continue", "tryAgain"],
  agent_not_found: ["useOther", "tryAgain"],
  auth_required: ["loggedIn", "useOther"],
  rate_limited: ["tryAgain", "useOther"],
  timed_out: ["continue"],
  stalled: ["continue", "tryAgain"],
  gate_rejected: ["seeFinding", "askToRemove"],
  check_failed: [],
  push_rejected: ["pushAgain"],
  push_auth: ["pushAgain"],
  remote_unreachable: ["pushAgain"],
  base_missing: ["otherBase", "tryAgain"],
  conflict: ["askAgent", "startAgain", "keepMine"],
  disk_full: ["freeSpace", "tryAgain"],
  interrupted: ["continue"],
  session_lost: ["continue"],
  internal: ["copyReport", "continue"],
};

/** What the key of the suggested action presses: never what loses or spends something by itself. */
const SUGGESTED: Readonly<Record<string, Remedy>> = {
  gate_rejected: "askToRemove",
  conflict: "askAgent",
};

export function Outcome({ run }: { readonly run: RunDocument }) {
  const { t, isKnown } = useTranslation("states");
  const effect = useEffectWords();
  const { failure } = run;
  if (failure === null) return null;
  const title = `failed_${failure.code}`;
  const details = mainDetailLines(failure.details).map(cleanText);
  return (
    <section className="px-2 py-1.5" aria-label={isKnown(title) ? t(title) : failure.code}>
      <div className="callout family-fail flex-col gap-1!" data-failure={failure.code}>
        <span className="flex items-center gap-1.5 font-medium text-(--tone)">
          <StateSign sign="square-cross" />
          {isKnown(title) ? t(title) : failure.code}
        </span>
        <bdi lang="en" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {cleanText(failure.message)}
        </bdi>
        <span className="text-ink-2">{effect(failure.code)}</span>
        {details.length > 0 && <OutputBlock text={details.join("\n")} label={failure.code} />}
        <span className="flex flex-wrap items-center gap-1.5 pt-0.5">
          {(REMEDIES[failure.code] ?? ["tryAgain", "continue"]).map((remedy) => (
            <RemedyButton key={remedy} remedy={remedy} run={run} />
          ))}
          <code className="ml-auto text-fine text-ink-3">{failure.code}</code>
        </span>
        {failure.remedy !== "" && <InTerminal remedy={failure.remedy} />}
      </div>
    </section>
  );
}

/** What holds after the failure; the buttons say what comes next. */
function useEffectWords(): (code: string) => string {
  const { t, isKnown } = useTranslation("effects");
  return (code) => t(isKnown(code) ? code : "other");
}

/** The same remedy as commands. */
function InTerminal({ remedy }: { readonly remedy: string }) {
  const { t } = useTranslation("timeline");
  return (
    <details className="text-fine text-ink-3">
      <summary className="cursor-pointer">{t("inTerminal")}</summary>
      <bdi lang="en" className="[overflow-wrap:anywhere]">
        {cleanText(remedy)}
      </bdi>
    </details>
  );
}

function RemedyButton({ remedy, run }: { readonly remedy: Remedy; readonly run: RunDocument }) {
  const { t } = useTranslation("timeline");
  const { attempt, write, fork } = useTimelineActs();
  const navigate = useNavigate();
  const retry = useRetry();
  const followUp = useFollowUp(attempt);
  const beside = useBeside(attempt);
  const again = (from: "start" | "push") => () => retry.mutate({ run: run.id, from });
  const isSuggested = remedy === SUGGESTED[run.failure?.code ?? ""];
  const acts: Readonly<Record<Remedy, () => void>> = {
    continue: () => write(""),
    tryAgain: again("start"),
    runSetupAgain: again("start"),
    loggedIn: again("start"),
    pushAgain: again("push"),
    askAgent: () => followUp.mutate({ resolve: true }),
    seeFinding: () => void navigate({ to: "/attempts/$id/ship", params: { id: attempt } }),
    askToRemove: () => write(removalRequest(run)),
    freeSpace: () => void navigate({ to: "/storage" }),
    copyReport: () => void copyReport(run).then(() => tell({ title: t("copied", { ns: "shell" }) })),
    useOther: () => fork(leftBy(run)),
    otherBase: () => fork(run),
    startAgain: beside.startAgain,
    keepMine: beside.keepMine,
  };
  return (
    <Button
      size="small"
      busy={retry.isPending || followUp.isPending || beside.isPending}
      onClick={acts[remedy]}
      {...(isSuggested ? { "data-act": "suggested", keySpec: "a" } : {})}
    >
      {t(remedy)}
    </Button>
  );
}

/** An agent that was not found left nothing to begin with. */
function leftBy(run: RunDocument): RunDocument | null {
  return run.failure?.code === "agent_not_found" ? null : run;
}

/** What else a person may do about a conflict: nothing is forced, and what is there stays. */
function useBeside(id: string) {
  const { t } = useTranslation("timeline");
  const { found } = useAttempt(id);
  const startAgain = useStartAgain();
  const keep = useMutation({
    mutationFn: () => answerOf(api.publish(id, { another_branch: true }, once())),
    onError: tellProblem,
    onSuccess: () => tell({ title: t("keepingMine") }),
  });
  return {
    startAgain: () =>
      found !== null &&
      startAgain.mutate(found.shown, { onSuccess: () => tell({ title: t("startedAgain") }) }),
    keepMine: () => keep.mutate(),
    isPending: startAgain.isPending || keep.isPending,
  };
}

/** Agents read English; a person can change the words before they go. */
function removalRequest({ failure }: RunDocument): string {
  const places = mainDetailLines(failure?.details ?? {}).map(cleanLine);
  return `Remove what the publish gate found, and replace it with a safe way:\n\n${places.join("\n")}\n`;
}

function copyReport({ id, failure }: RunDocument): Promise<void> {
  return navigator.clipboard.writeText(JSON.stringify({ run: id, failure }, null, 2));
}
