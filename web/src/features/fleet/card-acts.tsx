/** What a card offers: its suggested act, and a box to write to the agent. */
import { useState } from "react";
import { keepWords, putBack } from "../../data/kept-words.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { suggestionFor, useFollowUp, useGoTo, useRetry } from "../attempts/act.ts";
import type { AttemptCard, CardGroup } from "../attempts/cards.ts";
import { AnswerBox } from "../questions/answer-box.tsx";
import { WriteForm } from "../questions/write-form.tsx";

export function CardActs({ group }: { readonly group: CardGroup }) {
  const { t } = useTranslation("fleet");
  const goTo = useGoTo();
  const retry = useRetry();
  const first = group.cards[0] as AttemptCard;
  const followUp = useFollowUp(first.attempt.id);
  const [isWriting, setWriting] = useState(false);
  const suggestion = suggestionFor(group);
  if (suggestion === null) return null;
  const { run, column, family } = first.card;
  if (suggestion.kind === "answer")
    return run === null ? null : (
      <AnswerBox
        key={run.question?.expect}
        attempt={first.attempt.id}
        repository={first.task.repository}
        run={run}
      />
    );
  const act = () => {
    if (suggestion.kind === "go") void goTo(suggestion.to, first);
    if (suggestion.kind === "resolve") followUp.mutate({ resolve: true });
    if (suggestion.kind === "push_again" && run !== null) retry.mutate({ run: run.id, from: "push" });
    if (suggestion.kind === "begin") void goTo("attempt", first);
  };
  if (isWriting)
    return (
      <WriteForm
        place={first.attempt.id}
        label={t("messageLabel")}
        submit={t("send")}
        isBusy={followUp.isPending}
        hasFocus
        onSend={(instruction) => {
          // It is the box of the attempt's own screen, too: what is typed from now on comes next.
          keepWords(first.attempt.id, "");
          void followUp.mutateAsync({ instruction }).catch(() => putBack(first.attempt.id, instruction));
        }}
        onLeave={() => setWriting(false)}
      />
    );
  return (
    <span className="ml-auto flex justify-end gap-1">
      <Button
        size="small"
        keySpec="a"
        data-act="suggested"
        {...(suggestion.kind === "resolve" || suggestion.kind === "push_again"
          ? { busy: followUp.isPending || retry.isPending }
          : {})}
        onClick={act}
      >
        {t(suggestion.words)}
      </Button>
      {column === "needs" && family === "fail" && (
        <Button
          kind="quiet"
          size="small"
          keySpec="r"
          data-act="write"
          asks="followUp"
          onClick={() => setWriting(true)}
        >
          {t("write")}
        </Button>
      )}
    </span>
  );
}
