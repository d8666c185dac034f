/** Asks which agent reads the patch and comments on it. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api, once } from "../../data/api.ts";
import { useKeptWords } from "../../data/kept-words.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { AgentSelect, useAgentChoice } from "../attempts/agent-select.tsx";
import type { AttemptCard } from "../attempts/cards.ts";

export default function ReviewDialog(props: { readonly shown: AttemptCard; readonly onClose: () => void }) {
  const { t } = useTranslation("continue");
  const { attempt, task } = props.shown;
  const [wanted, setWanted] = useState<string | null>(null);
  const [words, setWords] = useKeptWords(`review ${attempt.id}`);
  const choice = useAgentChoice(task.repository.id, { wanted, first: null });
  const review = useMutation({
    mutationFn: (agent: string) =>
      answerOf(api.review(attempt.id, { agent, instruction: words.trim() === "" ? null : words }, once())),
    onError: tellProblem,
    onSuccess: () => {
      setWords("");
      props.onClose();
      tell({ title: t("reviewAsked") });
    },
  });
  return (
    <Dialog open onClose={props.onClose} title={t("askReview")}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (choice.chosen !== null) review.mutate(choice.chosen);
        }}
      >
        <p className="text-small text-ink-2">{t("reviewText")}</p>
        <AgentSelect label={t("reviewAgent")} choice={choice} onChoose={setWanted} />
        <label className="flex flex-col gap-1 text-small text-ink-2">
          {t("reviewWords")}
          <textarea
            className="field min-h-20"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </label>
        <span className="flex justify-end gap-2">
          <Button onClick={props.onClose}>{t("cancel", { ns: "shell" })}</Button>
          <Button
            kind="primary"
            type="submit"
            busy={review.isPending}
            off={choice.chosen === null ? t("noAgents", { ns: "timeline" }) : null}
          >
            {t("askReviewNow")}
          </Button>
        </span>
      </form>
    </Dialog>
  );
}
