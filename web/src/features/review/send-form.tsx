/** Ends a review: sends the comments as one run, asks a second agent to review, or goes on to Ship. */

import { useMutation, useMutationState } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useEffect, useState } from "react";
import { answerOf, api, once } from "../../data/api.ts";
import { isComposing } from "../../data/keys/composing.ts";
import { keepUnsent, unsentWords } from "../../data/unsent-words.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { useFollowUp } from "../attempts/act.ts";
import { AgentSelect, useAgentChoice } from "../attempts/agent-select.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { useMaySend } from "../attempts/use-may-send.ts";
import { keepingKey } from "./comments/comments.ts";

/** What goes with the words. */
interface Chosen {
  /** Ids of comments: all drafts, and those of others that were chosen. */
  readonly comments: readonly string[];
  /** Ids of threads of the pull request. */
  readonly threads: readonly string[];
}

type Way = "send" | "ask" | "approve";
const WAYS: readonly Way[] = ["send", "ask", "approve"];

interface SendProps {
  readonly shown: AttemptCard;
  readonly chosen: Chosen;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly onSent: () => void;
}

export function SendForm({ shown, chosen, form, onSent }: SendProps) {
  const { t } = useTranslation("review");
  const { t: c } = useTranslation("continue");
  const [words, setWords] = useUnsent(shown.attempt.id);
  const [way, setWay] = useState<Way>("send");
  const [wanted, setWanted] = useState<string | null>(null);
  const { attempt, task } = shown;
  const others = attempt.agent ?? null;
  const choice = useAgentChoice(task.repository.id, { wanted, first: null });
  const second = wanted ?? choice.agents.find(({ id, ready }) => ready && id !== others)?.id ?? choice.chosen;
  const { send, isPending: isSending } = useSend({
    shown,
    chosen,
    second,
    onSent: () => {
      setWords("");
      onSent();
    },
  });
  const kept = useMutationState({
    filters: { mutationKey: keepingKey(attempt.id) },
    select: ({ state }) => state.status,
  });
  const isKeeping = kept.includes("pending");
  const count = chosen.comments.length + chosen.threads.length;
  const maySend = useMaySend(attempt);
  const isEmpty = count === 0 && words.trim() === "";
  const off = way !== "send" ? null : maySend ? (isEmpty ? t("nothingToSend") : null) : c("wasCanceled");
  const submit = () => {
    if (off === null && !isSending) send(way, words);
  };
  const sendOnceKept = useOnceKept({ isKeeping, isKept: kept.at(-1) !== "error", act: submit });
  return (
    <form
      ref={form}
      className="flex flex-none flex-col gap-2 border-t border-line bg-surface p-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        sendOnceKept();
      }}
    >
      <textarea
        className="field field-sizing-content max-h-40 min-h-15 resize-none"
        aria-label={t("forWhole")}
        placeholder={t("forWhole")}
        value={words}
        readOnly={isSending}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      <fieldset className="flex flex-col gap-1">
        <legend className="visually-hidden">{t("whatNext")}</legend>
        {WAYS.map((each) => (
          <label key={each} className="tick gap-2! text-small">
            <input
              type="radio"
              name="way"
              className="size-3.5"
              checked={way === each}
              onChange={() => setWay(each)}
            />
            {t(each)}
            <span className="text-ink-3">
              {each === "send" ? <NextRun shown={shown} /> : each === "ask" && second}
            </span>
          </label>
        ))}
      </fieldset>
      {way === "ask" && (
        <AgentSelect label={t("whoReviews")} choice={{ ...choice, chosen: second }} onChoose={setWanted} />
      )}
      <Button
        type="submit"
        kind="primary"
        className="h-8! w-full"
        keySpec="mod+enter"
        busy={isKeeping || isSending}
        off={off}
      >
        {way === "send" ? (count === 0 ? t("sendWords") : t("sendComments", { count })) : t(way)}
      </Button>
    </form>
  );
}

/** Acts at once, or when the drafts are kept: it would go without them. If one is not kept, nothing is done. */
function useOnceKept(of: {
  readonly isKeeping: boolean;
  readonly isKept: boolean;
  readonly act: () => void;
}) {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isAsked || of.isKeeping) return;
    setAsked(false);
    if (of.isKept) of.act();
  });
  return () => (of.isKeeping ? setAsked(true) : of.act());
}

/** Words for the whole change, which a reload does not lose. */
function useUnsent(attempt: string) {
  const [words, setWords] = useState(
    () => unsentWords(attempt).find(({ place }) => place === WHOLE)?.words ?? "",
  );
  const write = (next: string) => {
    setWords(next);
    keepUnsent({ attempt, place: WHOLE, words: next });
  };
  return [words, write] as const;
}

const WHOLE = "whole";

function NextRun({ shown: { attempt } }: { readonly shown: AttemptCard }) {
  const { t } = useTranslation("review");
  const number = Math.max(0, ...attempt.runs.map((run) => run.number)) + 1;
  const isWorking = attempt.runs.some(({ status, phase }) => status === "RUNNING" || phase === "queued");
  return isWorking ? t("runQueued", { run: number }) : t("runNext", { run: number });
}

function useSend({
  shown: { attempt },
  chosen,
  second,
  onSent,
}: {
  readonly shown: AttemptCard;
  readonly chosen: Chosen;
  readonly second: string | null;
  readonly onSent: () => void;
}) {
  const { t } = useTranslation("review");
  const navigate = useNavigate();
  const followUp = useFollowUp(attempt.id);
  const params = { id: attempt.id };
  const seen = () => void api.markSeen(attempt.id, {});
  const watch = { words: t("watch"), run: () => void navigate({ to: "/attempts/$id", params }) };
  const review = useMutation({
    mutationFn: (instruction: string | null) =>
      answerOf(api.review(attempt.id, { agent: second ?? "", instruction }, once())),
    onSuccess: () => {
      onSent();
      tell({ title: t("asked", { agent: second ?? "" }), act: watch });
    },
    onError: tellProblem,
  });
  const send = (way: Way, given: string) => {
    const words = given.trim() === "" ? null : given;
    if (way === "ask") return review.mutate(words);
    if (way === "approve") {
      seen();
      return void navigate({ to: "/attempts/$id/ship", params });
    }
    const { comments, threads } = chosen;
    const sent = { instruction: words, comments: [...comments] };
    const done = () => {
      // Who sends comments is known to have seen the run.
      if (comments.length === 0) seen();
      onSent();
      tell({ title: t("sentToast", { count: comments.length + threads.length }), act: watch });
    };
    // The screen may be left before the answer: what was sent must not stand here again.
    void followUp
      .mutateAsync(threads.length === 0 ? sent : { ...sent, from_review: [...threads] })
      .then(done, () => undefined);
  };
  return { send, isPending: followUp.isPending || review.isPending };
}
