/** Adds an attempt in which another agent goes on from the files that one left. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api, once } from "../../data/api.ts";
import { useKeptWords } from "../../data/kept-words.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { AgentSelect, useAgentChoice } from "../attempts/agent-select.tsx";
import type { AttemptColumn } from "./columns.ts";

export function GoOnDialog(props: { readonly column: AttemptColumn; readonly onClose: () => void }) {
  const { t } = useTranslation("compare");
  const { column, onClose } = props;
  const { letter, of } = column;
  const [wanted, setWanted] = useState<string | null>(null);
  const choice = useAgentChoice(of.task.repository.id, { wanted, first: null });
  const [instruction, setInstruction] = useKeptWords(`go on ${column.id}`);
  const run = of.attempt.runs.findLast(({ ended_at }) => ended_at !== null);
  const start = useMutation({
    mutationFn: (id: string) =>
      answerOf(
        api.fork(
          run?.id ?? "",
          { agent: id, instruction: instruction.trim() === "" ? null : instruction },
          once(),
        ),
      ),
    onError: tellProblem,
    onSuccess: () => {
      setInstruction("");
      onClose();
      tell({ title: t("goOnStarted") });
    },
  });
  const { chosen } = choice;
  return (
    <Dialog open onClose={onClose} title={t("goOnTitle", { letter })}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== null && run !== undefined) start.mutate(chosen);
        }}
      >
        <p className="text-ink-2">{t("goOnText", { letter })}</p>
        <AgentSelect label={t("agent")} choice={choice} onChoose={setWanted} />
        <label className="flex flex-col gap-1 text-small font-medium text-ink-2">
          {t("goOnWords")}
          <textarea
            className="field min-h-20 font-normal text-ink"
            value={instruction}
            onChange={({ target }) => setInstruction(target.value)}
          />
        </label>
        <span className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button
            kind="primary"
            type="submit"
            busy={start.isPending}
            off={chosen === null || run === undefined ? t("unknown") : null}
          >
            {t("goOn")}
          </Button>
        </span>
      </form>
    </Dialog>
  );
}
