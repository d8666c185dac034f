/** Answers what an agent asks, in place: allow or deny a command, or write. */
import type { RunDocument } from "@contract/task-document.ts";
import { cleanText } from "@contract/text.ts";
import { reachesOut } from "@contract/words/question-words.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { TwoPressButton, useTwoPress } from "../../ui/two-press.tsx";
import { type GivenAnswer, useAnswer } from "../attempts/act.ts";

type Question = NonNullable<RunDocument["question"]>;

/** The exact words and the exact command; nothing is guessed about them. */
export function QuestionNote({ question }: { readonly question: Question }) {
  return (
    <div className="callout family-needs flex-col gap-0.5!">
      {question.command !== null && (
        <code className="text-small break-all whitespace-pre-wrap">{cleanText(question.command)}</code>
      )}
      {question.command !== cleanText(question.words) && (
        <bdi className="line-clamp-4 text-ink-2">{cleanText(question.words)}</bdi>
      )}
      {question.touches.length > 0 && (
        <bdi className="text-fine text-ink-3">{question.touches.map(cleanText).join(" · ")}</bdi>
      )}
    </div>
  );
}

interface AnswerProps {
  readonly run: RunDocument;
  readonly onAnswered?: () => void;
}

export function AnswerBox({ run, onAnswered }: AnswerProps) {
  const answer = useAnswer();
  const [isWriting, setWriting] = useState(false);
  const { question } = run;
  if (question === null) return null;
  const send = (given: Omit<GivenAnswer, "run">) =>
    answer.mutate({ run, ...given }, onAnswered === undefined ? {} : { onSuccess: onAnswered });
  if (question.source === "permission" && !isWriting)
    return (
      <LeaveButtons
        question={question}
        isBusy={answer.isPending}
        onSend={send}
        onWrite={() => setWriting(true)}
      />
    );
  return (
    <WriteForm
      question={question}
      isBusy={answer.isPending}
      hasFocus={isWriting}
      onSend={(text) => send({ answer: "text", text })}
      onLeave={() => setWriting(false)}
    />
  );
}

function LeaveButtons(props: {
  readonly question: Question;
  readonly isBusy: boolean;
  readonly onSend: (given: Omit<GivenAnswer, "run">) => void;
  readonly onWrite: () => void;
}) {
  const { t } = useTranslation("fleet");
  const allow = () => props.onSend({ answer: "allow" });
  const twice = useTwoPress(allow);
  return (
    <span className="flex flex-wrap items-center justify-end gap-1.5">
      <TwoPressButton
        kind="primary"
        size="small"
        keySpec="a"
        data-act="suggested"
        busy={props.isBusy}
        words={t("approve")}
        isArmed={twice.isArmed}
        // What reaches the network, or leaves the worktree, is pressed twice.
        press={reachesOut(props.question) ? twice.press : allow}
      />
      <Button
        kind="quiet"
        size="small"
        keySpec="d"
        data-act="deny"
        onClick={() => props.onSend({ answer: "deny" })}
      >
        {t("deny")}
      </Button>
      <Button kind="quiet" size="small" keySpec="r" data-act="write" onClick={props.onWrite}>
        {t("answer")}
      </Button>
    </span>
  );
}

function WriteForm(props: {
  readonly question: Question;
  readonly isBusy: boolean;
  /** The person asked for it just now. */
  readonly hasFocus: boolean;
  readonly onSend: (text: string) => void;
  readonly onLeave: () => void;
}) {
  const { t } = useTranslation("fleet");
  const [text, setText] = useState("");
  const submit = () => text.trim() !== "" && props.onSend(text);
  const options = props.question.options.filter(({ kind }) => kind !== "words").slice(0, 4);
  return (
    <form
      className="mt-1 flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        aria-label={t("answerLabel")}
        className="field min-h-14"
        rows={2}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the person just asked to write here.
        autoFocus={props.hasFocus}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const isSend = event.key === "Enter" && (event.ctrlKey || event.metaKey);
          if (event.nativeEvent.isComposing || (!isSend && event.key !== "Escape")) return;
          event.preventDefault();
          if (isSend) submit();
          else {
            event.currentTarget.closest<HTMLElement>("[data-card]")?.focus();
            props.onLeave();
          }
        }}
      />
      <span className="flex flex-wrap justify-end gap-1.5">
        {options.map((option) => (
          <Button key={option.id} size="small" onClick={() => props.onSend(option.name)}>
            <bdi>{cleanText(option.name)}</bdi>
          </Button>
        ))}
        <Button kind="primary" size="small" keySpec="mod+enter" type="submit" busy={props.isBusy}>
          {t("answer")}
        </Button>
      </span>
    </form>
  );
}
