/** Asks who goes on from a run in an attempt of its own, and with which words. */
import type { RunDocument } from "@contract/task-document.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api, once } from "../../data/api.ts";
import { useKeptWords } from "../../data/kept-words.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { tellProblem } from "../../ui/toast.tsx";
import { AgentSelect, useAgentChoice } from "../attempts/agent-select.tsx";
import { useAttempt } from "../attempts/use-attempt.ts";
import { BaseDialog } from "./base-dialog.tsx";
import { useTimelineActs } from "./timeline-acts.ts";
import { useGoToMade } from "./use-go-to-made.ts";

interface ForkDialogProps {
  /** Null: nothing was left to begin with, so another attempt of the task begins from its base. */
  readonly run: RunDocument | null;
  readonly onClose: () => void;
}

export function ForkDialog({ run, onClose }: ForkDialogProps) {
  // Such a run left nothing, and its own base cannot be had.
  if (run?.failure?.code === "base_missing") return <BaseDialog run={run} onClose={onClose} />;
  return <AgentDialog run={run} onClose={onClose} />;
}

function AgentDialog({ run, onClose }: ForkDialogProps) {
  const { t } = useTranslation("timeline");
  const goTo = useGoToMade(onClose);
  const { repository, agent: own, attempt } = useTimelineActs();
  const task = useAttempt(attempt).found?.shown.task.id ?? "";
  // The agent of a run that left nothing could not begin.
  const first = run === null ? null : own;
  const [wanted, setWanted] = useState<string | null>(null);
  const choice = useAgentChoice(repository, { wanted, first });
  const [words, setWords] = useKeptWords(`fork ${run?.id ?? attempt}`);
  const { chosen } = choice;
  const fork = useMutation({
    mutationFn: (id: string) => {
      if (run === null) return answerOf(api.addAttempt(task, { agent: id }, once()));
      const instruction = words.trim() === "" ? {} : { instruction: words };
      return answerOf(api.fork(run.id, { agent: id, ...instruction }, once()));
    },
    onError: tellProblem,
    onSuccess: ({ attempts }) => {
      setWords("");
      goTo(attempts);
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={run === null ? t("useOther") : t("forkTitle", { number: run.number })}
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== null) fork.mutate(chosen);
        }}
      >
        <p className="text-small text-ink-2">{t(run === null ? "otherText" : "forkText")}</p>
        <AgentSelect label={t("forkAgent")} choice={choice} onChoose={setWanted} />
        {run !== null && (
          <label className="flex flex-col gap-1 text-small text-ink-2">
            {t("forkWords")}
            <textarea
              className="field min-h-20"
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
          </label>
        )}
        <span className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel", { ns: "shell" })}</Button>
          <Button
            kind="primary"
            type="submit"
            busy={fork.isPending}
            off={chosen === null ? t("noAgents") : null}
          >
            {t("fork")}
          </Button>
        </span>
      </form>
    </Dialog>
  );
}
