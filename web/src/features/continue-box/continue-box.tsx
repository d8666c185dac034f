/** The box that continues a conversation: what the agent asks, what waits in the queue, and new words for it. */

import type { RunDocument } from "@contract/task-document.ts";
import { isOpen } from "@contract/words/attempt-standing.ts";
import { silentFor } from "@contract/words/silence.ts";
import { Square } from "lucide-react";
import { type RefObject, useState } from "react";
import { addWords, putBack } from "../../data/kept-words.ts";
import { isComposing } from "../../data/keys/composing.ts";
import { isPressed } from "../../data/keys/key-of.ts";
import { useLastAction } from "../../data/last-action.ts";
import { useWhyNot } from "../../data/may.ts";
import { loadWords } from "../../i18n/i18n.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { part } from "../../ui/loaded/part.tsx";
import { tell } from "../../ui/toast.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { useNow } from "../../ui/use-now.ts";
import { useShown } from "../../ui/use-shown.ts";
import { useGoToNextWaiting, useStop } from "../attempts/act.ts";
import type { AttemptCard } from "../attempts/cards.ts";
import { useMaySend } from "../attempts/use-may-send.ts";
import { isTyping } from "../keys/keys.ts";
import { AnswerBox } from "../questions/answer-box.tsx";
import { BoxMenu } from "./box-menu.tsx";
import { OwnEdits } from "./own-edits.tsx";
import { useSendWords } from "./send-words.ts";
import { workingRun } from "./working-run.ts";

/** Only once something waits. */
const QueuedList = part(async () => (await import("./queued-list.tsx")).QueuedList);

const QuestionFacts = part(async () => (await import("./question-facts.tsx")).QuestionFacts);
const SilentNote = part(async () => {
  const [note] = await Promise.all([import("../questions/silent-note.tsx"), loadWords("questions")]);
  return note.default;
});

interface ContinueBoxProps {
  readonly shown: AttemptCard;
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  /** The dialog that asks another agent for a review is open. */
  readonly isReviewAsked: boolean;
  readonly onReviewAsked: (isAsked: boolean) => void;
  readonly onTerminal: () => void;
  /** Shows the facts, with the processes. */
  readonly onLook: () => void;
}

export function ContinueBox(props: ContinueBoxProps) {
  const { box } = props;
  const { attempt } = props.shown;
  const working = workingRun(attempt.runs);
  const queued = attempt.runs.filter((run) => run.status === "PENDING" && run.phase === "queued");
  const [mergeBase, setMergeBase] = useState(false);
  const isSmall = useMedia("(max-width: 639px)");
  const goOn = useGoToNextWaiting();
  const isShown = useShown();
  const forbidden = useWhyNot()("followUp");
  return (
    <div className="flex flex-none flex-col gap-2 border-t border-line px-3 py-2.5">
      {working?.question && (
        <div data-card={attempt.id} tabIndex={-1} className="flex flex-col gap-2">
          <QuestionFacts question={working.question} of={props.shown} />
          <AnswerBox
            key={working.question.expect}
            attempt={attempt.id}
            repository={props.shown.task.repository}
            run={working}
            onAnswered={() => {
              if (!isShown()) return;
              if (isSmall) void goOn(attempt.id, isShown);
              else if (!writesElsewhere()) box.current?.focus();
            }}
          />
        </div>
      )}
      {working !== null && <Silence {...props} run={working} />}
      {working === null && isOpen(attempt) && <OwnEdits attempt={attempt.id} />}
      {queued.length > 0 && <QueuedList attempt={attempt.id} queued={queued} />}
      {forbidden === null ? (
        <Compose {...props} working={working} mergeBase={mergeBase} onMergeBase={setMergeBase} />
      ) : (
        <p className="text-small text-ink-3">{forbidden}</p>
      )}
    </div>
  );
}

/** Answers come late: who writes something else by then goes on with that. */
function writesElsewhere(): boolean {
  const { activeElement } = document;
  return isTyping(activeElement) && activeElement?.closest("[data-card]") === null;
}

function Silence(props: ContinueBoxProps & { readonly run: RunDocument }) {
  const now = useNow();
  const action = useLastAction(props.run);
  const ms = silentFor({ ...props.run, last_action: action }, now);
  if (ms === null) return null;
  return (
    <SilentNote
      attempt={props.shown.attempt.id}
      run={props.run}
      ms={ms}
      onLook={props.onLook}
      onAsk={(text) => {
        addWords(props.shown.attempt.id, text);
        props.box.current?.focus();
      }}
    />
  );
}

function Compose(
  props: Omit<ContinueBoxProps, "onLook"> & {
    readonly working: RunDocument | null;
    readonly mergeBase: boolean;
    readonly onMergeBase: (mergeBase: boolean) => void;
  },
) {
  const { t } = useTranslation("continue");
  const { shown, working, words, onWords, box, mergeBase } = props;
  const { id } = shown.attempt;
  const stop = useStop();
  const send = useSendWords({
    attempt: id,
    onSent: () => {
      props.onMergeBase(false);
      if (working !== null) tell({ title: t("queuedToast") });
    },
    // Behind them stands what was typed meanwhile.
    onRefused: (refused) => putBack(id, refused),
  });
  const off = useMaySend(shown.attempt) ? null : t("wasCanceled");
  const sendNow = (stopFirst: boolean) => {
    if (off !== null || send.isPending || words.trim() === "") return;
    onWords("");
    send.mutate({ instruction: words, mergeBase, stopFirst: stopFirst ? working : null });
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        sendNow(false);
      }}
    >
      <textarea
        ref={box}
        className="field field-sizing-content max-h-52 min-h-13 resize-none"
        aria-label={t("messageLabel", { ns: "fleet" })}
        placeholder={t(working === null ? "placeholder" : "placeholderWorking")}
        value={words}
        onChange={({ target }) => onWords(target.value)}
        onKeyDown={(event) => {
          const isNow = isPressed(event.nativeEvent, "mod+enter");
          if (isComposing(event.nativeEvent) || (!isNow && (event.key !== "Enter" || event.shiftKey))) return;
          event.preventDefault();
          sendNow(isNow);
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        {working !== null && <span className="chip">{t("afterThisRun")}</span>}
        {shown.attempt.session !== null && (working === null || words.trim() === "") && (
          <span className="text-fine text-ink-3">{t("sameSession")}</span>
        )}
        {mergeBase && <span className="chip family-work">{t("mergeBase")}</span>}
        <span className="ml-auto flex gap-2">
          <BoxMenu
            shown={shown}
            works={working !== null}
            mergeBase={mergeBase}
            onMergeBase={props.onMergeBase}
            isReviewAsked={props.isReviewAsked}
            onReviewAsked={props.onReviewAsked}
            onTerminal={props.onTerminal}
          />
          {working !== null && words.trim() === "" && (
            <Button
              kind="danger"
              size="small"
              keySpec="s"
              icon={<Square size={12} aria-hidden="true" />}
              busy={stop.isPending}
              onClick={() => stop.mutate({ type: "run", id: working.id })}
            >
              {t("stop")}
            </Button>
          )}
          {working !== null && words.trim() !== "" && (
            <Button size="small" keySpec="mod+enter" busy={send.isPending} onClick={() => sendNow(true)}>
              {t("stopAndSend")}
            </Button>
          )}
          <Button kind="primary" size="small" keySpec="enter" type="submit" off={off} busy={send.isPending}>
            {t(working === null ? "send" : "queue")}
          </Button>
        </span>
      </div>
    </form>
  );
}
