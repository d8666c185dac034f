/** Answers what an agent asks, in place: allow or deny a command, or write. */

import type { ListedTask, RunDocument } from "@contract/task-document.ts";
import { cleanText } from "@contract/text.ts";
import { reachesOut } from "@contract/words/question-words.ts";
import { useState } from "react";
import { keepWords } from "../../data/kept-words.ts";
import { useWhyNot } from "../../data/may.ts";
import { loadWords } from "../../i18n/i18n.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { part } from "../../ui/loaded/part.tsx";
import { TwoPressButton, useTwoPress } from "../../ui/two-press.tsx";
import { answerPlace, type GivenAnswer, useAnswer, useDenyAndSay } from "../attempts/act.ts";
import { useRescued } from "./use-rescued.ts";
import { WriteForm } from "./write-form.tsx";

type Question = NonNullable<RunDocument["question"]>;
type Repository = ListedTask["repository"];

/** The exact words and the exact command; nothing is guessed about them. */
export function QuestionNote({ question }: { readonly question: Question }) {
  return (
    <div className="callout family-needs flex-col gap-0.5! px-2 py-1 leading-[17px]">
      {question.command !== null && (
        <code className="text-small break-all whitespace-pre-wrap">{cleanText(question.command)}</code>
      )}
      {question.command !== cleanText(question.words) && (
        <bdi className="line-clamp-4 text-ink-2">{cleanText(question.words)}</bdi>
      )}
      {question.source === "permission" && question.rule !== "" && (
        <bdi lang="en" className="line-clamp-2 text-fine text-ink-2">
          {cleanText(question.rule)}
        </bdi>
      )}
    </div>
  );
}

const AlwaysForm = part(async () => {
  const [form] = await Promise.all([import("./always-form.tsx"), loadWords("questions")]);
  return form.default;
});

interface AnswerProps {
  readonly attempt: string;
  readonly repository: Repository;
  readonly run: RunDocument;
  readonly onAnswered?: () => void;
}

export function AnswerBox({ attempt, repository, run, onAnswered }: AnswerProps) {
  const { t } = useTranslation("fleet");
  const answer = useAnswer();
  const denyAndSay = useDenyAndSay(attempt);
  const [mode, setMode] = useState<"buttons" | "write" | "always">("buttons");
  const { question } = run;
  const isBusy = answer.isPending || denyAndSay.isPending;
  const place = answerPlace(question?.id ?? "");
  const rescue = useRescued({ attempt, run, question: question?.id ?? "", place }, isBusy);
  const forbidden = useWhyNot()("answer");
  if (question === null) return null;
  if (forbidden !== null) return <p className="text-small text-ink-3">{forbidden}</p>;
  const isWriting = mode === "write";
  // A fact may take this box away before the request is answered. What went wrong is told by the act itself.
  const after = (sent: Promise<unknown>) =>
    void sent.then(() => {
      keepWords(place, "");
      onAnswered?.();
    }, rescue);
  const send = (given: Omit<GivenAnswer, "run" | "repository">) => {
    if (!isBusy) after(answer.mutateAsync({ run, repository, ...given }));
  };
  const isLeave = question.source === "permission";
  const takesWords = question.options.some(({ kind }) => kind === "words");
  if (mode === "always" && question.always !== null)
    return (
      <AlwaysForm
        always={question.always}
        repository={repository.name}
        isBusy={answer.isPending}
        onSend={(always) => send({ answer: "allow", always })}
        onLeave={() => setMode("buttons")}
      />
    );
  if (isLeave && !isWriting)
    return <LeaveButtons question={question} isBusy={answer.isPending} onSend={send} onMode={setMode} />;
  return (
    <WriteForm
      place={place}
      label={t("answerLabel")}
      submit={t(takesWords || !isLeave ? "answer" : "denyAndSay")}
      hint={takesWords || !isLeave ? undefined : t("denyAndSayHint")}
      options={question.options
        .filter(({ kind }) => !(isLeave ? BY_BUTTON : ["words"]).includes(kind))
        .slice(0, 4)}
      isBusy={isBusy}
      hasFocus={isWriting}
      onSend={(text) =>
        takesWords || !isLeave ? send({ answer: "text", text }) : after(denyAndSay.mutateAsync({ run, text }))
      }
      onChoose={(text) => send({ answer: "text", text })}
      onLeave={() => setMode("buttons")}
    />
  );
}

/** The kinds of options that a leave has buttons or words for. */
const BY_BUTTON: readonly string[] = ["words", "allow_once", "reject_once"];

const ALWAYS = { always: true };

function LeaveButtons(props: {
  readonly question: Question;
  readonly isBusy: boolean;
  readonly onSend: (given: Pick<GivenAnswer, "answer">) => void;
  readonly onMode: (mode: "write" | "always") => void;
}) {
  const { t } = useTranslation("fleet");
  const allow = () => props.onSend({ answer: "allow" });
  const twice = useTwoPress(allow);
  return (
    <span className="ml-auto flex flex-wrap items-center justify-end gap-0.5 max-sm:w-full max-sm:flex-row-reverse max-sm:[&>*]:flex-1">
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
        className="px-1"
        onClick={() => props.onSend({ answer: "deny" })}
      >
        {t("deny")}
      </Button>
      {props.question.always !== null && (
        <Button
          kind="quiet"
          size="small"
          keySpec="."
          data-act="always"
          asks="answer"
          sent={ALWAYS}
          className="px-1"
          onClick={() => props.onMode("always")}
        >
          {t("always")}
        </Button>
      )}
      <Button
        kind="quiet"
        size="small"
        keySpec="r"
        data-act="write"
        className="px-1"
        onClick={() => props.onMode("write")}
      >
        {t("answer")}
      </Button>
    </span>
  );
}
