/** Answers what an agent asks, in place: allow or deny a command, or write. */
import type { RunDocument } from "@contract/task-document.ts";
import { cleanText } from "@contract/text.ts";
import { reachesOut } from "@contract/words/question-words.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { TwoPressButton, useTwoPress } from "../../ui/two-press.tsx";
import { type GivenAnswer, useAnswer } from "../attempts/act.ts";
import { type KeyBinding, useKeys } from "../keys/keys.ts";

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

export function AnswerBox({
  run,
  onAnswered,
}: {
  readonly run: RunDocument;
  readonly onAnswered: () => void;
}) {
  const { t } = useTranslation("fleet");
  const answer = useAnswer();
  const [mode, setMode] = useState<"idle" | "write" | "deny">("idle");
  const [text, setText] = useState("");
  const question = run.question;
  if (question === null) return null;
  const isLeave = question.source === "permission";
  // Own words go into the box.
  const choices = question.options.filter(({ kind }) => kind !== "words").slice(0, 4);
  const send = (given: Omit<GivenAnswer, "run">) =>
    answer.mutate({ run, ...given }, { onSuccess: onAnswered });
  const sendText = () => {
    if (mode === "deny") send({ answer: "deny" });
    else if (text.trim() !== "") send({ answer: "text", text });
  };
  if (mode !== "idle" || !isLeave)
    return (
      <form
        className="mt-1 flex flex-col gap-1.5"
        onSubmit={(event) => {
          event.preventDefault();
          sendText();
        }}
      >
        <TypingKeys onSend={sendText} onLeave={() => setMode("idle")} />
        <textarea
          aria-label={t("answerLabel")}
          className="field min-h-14"
          rows={2}
          value={text}
          // biome-ignore lint/a11y/noAutofocus: the person just asked to write here.
          autoFocus={mode !== "idle"}
          onChange={(event) => setText(event.target.value)}
        />
        <span className="flex flex-wrap justify-end gap-1.5">
          {choices.map((option) => (
            <Button key={option.id} size="small" onClick={() => send({ answer: "text", text: option.name })}>
              <bdi>{cleanText(option.name)}</bdi>
            </Button>
          ))}
          <Button kind="primary" size="small" keySpec="mod+enter" type="submit" busy={answer.isPending}>
            {t("answer")}
          </Button>
        </span>
      </form>
    );
  return (
    <span className="flex items-center justify-end gap-1.5">
      <Approve
        isFar={reachesOut(question)}
        isBusy={answer.isPending}
        onApprove={() => send({ answer: "allow" })}
      />
      <Button kind="quiet" size="small" keySpec="d" data-act="deny" onClick={() => send({ answer: "deny" })}>
        {t("deny")}
      </Button>
      <Button kind="quiet" size="small" keySpec="r" data-act="write" onClick={() => setMode("write")}>
        {t("answer")}
      </Button>
    </span>
  );
}

/** What reaches the network, or leaves the worktree, is pressed twice. */
function Approve(props: {
  readonly isFar: boolean;
  readonly isBusy: boolean;
  readonly onApprove: () => void;
}) {
  const { t } = useTranslation("fleet");
  const twice = useTwoPress(props.onApprove);
  const shared = {
    kind: "primary",
    size: "small",
    keySpec: "a",
    "data-act": "suggested",
    busy: props.isBusy,
  } as const;
  if (props.isFar) return <TwoPressButton {...shared} {...twice} words={t("approve")} />;
  return (
    <Button {...shared} onClick={props.onApprove}>
      {t("approve")}
    </Button>
  );
}

/** ⌘↵ sends, and `esc` gives the field up. */
function TypingKeys({ onSend, onLeave }: { readonly onSend: () => void; readonly onLeave: () => void }) {
  const { t } = useTranslation("keys");
  const bindings: readonly KeyBinding[] = [
    { spec: "mod+enter", words: t("send"), run: onSend, whileTyping: true },
    {
      spec: "escape",
      words: t("back"),
      whileTyping: true,
      run: () => {
        if (document.activeElement instanceof HTMLElement)
          document.activeElement.closest<HTMLElement>("[data-card]")?.focus();
        onLeave();
      },
    },
  ];
  useKeys(bindings);
  return null;
}
