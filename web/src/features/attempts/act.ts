/** Decides what a person does next with an attempt, and carries acts out. The screens and the palette use the same. */
import type { ListedTask, RunDocument, TaskDocument } from "@contract/task-document.ts";
import { ownBase } from "@contract/words/base-words.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { answerOf, api, once, problemOf } from "../../data/api.ts";
import { keepWords, putBack } from "../../data/kept-words.ts";
import { boardQuery } from "../../data/queries.ts";
import { showBegun } from "../../data/show-task.ts";
import { tellProblem } from "../../ui/toast.tsx";
import { type AttemptCard, boardOf, type CardGroup, cardsOf } from "./cards.ts";
import { withSilence } from "./use-silence.ts";

/** The one act that a card offers first; its words are keys of the noun `fleet`. */
type Suggestion =
  | { readonly kind: "answer"; readonly words: "approve" | "answer" }
  | { readonly kind: "resolve"; readonly words: "askAgent" }
  | { readonly kind: "push_again"; readonly words: "pushAgain" }
  | { readonly kind: "begin"; readonly words: "begin" }
  | { readonly kind: "go"; readonly to: Place; readonly words: GoWords };

type Place = "attempt" | "review" | "ship" | "compare";
type GoWords = "seeFinding" | "compare" | "look" | "merge" | "push" | "open" | "continue";

const go = (to: Place, words: GoWords): Suggestion => ({ kind: "go", to, words });

const BY_CODE: Readonly<Record<string, Suggestion>> = {
  asks_leave: { kind: "answer", words: "approve" },
  asks_words: { kind: "answer", words: "answer" },
  failed_conflict: { kind: "resolve", words: "askAgent" },
  failed_gate_rejected: go("ship", "seeFinding"),
  failed_check_failed: go("ship", "look"),
  failed_push_rejected: { kind: "push_again", words: "pushAgain" },
  failed_push_auth: { kind: "push_again", words: "pushAgain" },
  failed_remote_unreachable: { kind: "push_again", words: "pushAgain" },
  push_held: go("ship", "push"),
  pr_green: go("ship", "merge"),
  held: { kind: "begin", words: "begin" },
};

/** Null if nothing is to be done. */
export function suggestionFor({ cards }: CardGroup): Suggestion | null {
  const first = cards[0];
  if (first === undefined) return null;
  const { column, code, family } = first.card;
  if (column === "done" || column === "queued" || column === "working") return null;
  if (column === "review" && cards.length > 1) return go("compare", "compare");
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (family === "fail") return code.startsWith("pr_") ? go("ship", "look") : go("attempt", "continue");
  if (column === "review") return go("review", "look");
  return column === "ready" ? go("ship", "merge") : go("attempt", "open");
}

export function useGoTo() {
  const navigate = useNavigate();
  return (to: Place, { task, attempt }: Pick<AttemptCard, "task" | "attempt">) => {
    if (to === "compare") return navigate({ to: "/tasks/$id", params: { id: task.id } });
    const params = { id: attempt.id };
    if (to === "review") return navigate({ to: "/attempts/$id/review", params });
    if (to === "ship") return navigate({ to: "/attempts/$id/ship", params });
    return navigate({ to: "/attempts/$id", params });
  };
}

/**
 * Shows what has waited longest for a person, other than the attempt that was just answered; else that nothing waits.
 * Who is no longer there by then stays.
 */
export function useGoToNextWaiting() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (answered: string, isThere: () => boolean) => {
    // After a lost connection, what the page holds may still ask what was answered.
    const tasks = await client.fetchQuery({ ...boardQuery, staleTime: 0 }).catch(() => []);
    if (!isThere()) return;
    const { needs } = boardOf(withSilence(client, cardsOf(tasks)));
    const next = needs.flatMap(({ cards }) => cards).find(({ attempt }) => attempt.id !== answered);
    await (next === undefined
      ? navigate({ to: "/", search: { column: "needs" } })
      : navigate({ to: "/attempts/$id", params: { id: next.attempt.id } }));
  };
}

export interface GivenAnswer {
  readonly run: RunDocument;
  readonly repository: ListedTask["repository"];
  readonly answer: "allow" | "deny" | "text";
  readonly text?: string;
  /** What is allowed from now on, with `allow`. */
  readonly always?: string;
}

/** The answer names the question that was shown; a changed one is refused, and the screen shows the new one. */
export function useAnswer() {
  return useMutation({
    mutationFn: ({ run, answer, text, always }: GivenAnswer) =>
      answerOf(
        api.answer(run.id, {
          answer,
          expect: run.question?.expect ?? "",
          ...(text === undefined ? {} : { text }),
          ...(always === undefined ? {} : { always }),
        }),
      ),
    onSuccess: async (_, { run, repository, always }) => {
      if (always === undefined) return;
      const { tellRule } = await import("./answer-rules.ts");
      await tellRule({ repository, question: run.question?.id ?? "", text: always });
    },
    onError: async (error) => {
      const { code } = problemOf(error);
      if (code !== "already_answered") return tellProblem(error);
      const { tellAnswered } = await import("./answer-rules.ts");
      await tellAnswered(error);
    },
  });
}

/** Where an answer is kept until it is sent. */
export const answerPlace = (question: string) => `answer ${question}`;

/** For a question that takes no words: denies it, and gives the words to the agent as what comes next. */
export function useDenyAndSay(attempt: string) {
  return useMutation({
    mutationFn: async ({ run, text }: { readonly run: RunDocument; readonly text: string }) => {
      await answerOf(api.answer(run.id, { answer: "deny", expect: run.question?.expect ?? "" }));
      // The question is gone, and its box with it.
      keepWords(answerPlace(run.question?.id ?? ""), "");
      const sent = await api.followUp(attempt, { instruction: text }, once());
      if (sent.isErr()) putBack(attempt, text);
      return answerOf(Promise.resolve(sent));
    },
    onError: tellProblem,
  });
}

/** What was begun is shown before its fact is read: what offered it would offer it again. */
export function useShowBegun(): (made: TaskDocument) => void {
  const client = useQueryClient();
  return (made) => showBegun(client, made);
}

type FollowUp = Parameters<typeof api.followUp>[1];

/** A follow-up in the same attempt: words for the agent, comments, or the person's own edits. */
export function useFollowUp(attempt: string) {
  const onSuccess = useShowBegun();
  return useMutation({
    mutationFn: (sent: FollowUp) => answerOf(api.followUp(attempt, sent, once())),
    onSuccess,
    onError: tellProblem,
  });
}

export function useRetry() {
  const onSuccess = useShowBegun();
  return useMutation({
    mutationFn: ({ run, from }: { readonly run: string; readonly from: "start" | "push" | "checks" }) =>
      answerOf(api.retry(run, { from }, once())),
    onSuccess,
    onError: tellProblem,
  });
}

/** A new attempt of the same task, for the same agent, from the base as it is now. The one that is there stays. */
export function useStartAgain() {
  const onSuccess = useShowBegun();
  return useMutation({
    mutationFn: ({ task, attempt }: Pick<AttemptCard, "task" | "attempt">) =>
      answerOf(
        api.addAttempt(
          task.id,
          { agent: { id: attempt.agent, model: attempt.model }, base: ownBase(task, attempt) },
          once(),
        ),
      ),
    onSuccess,
    onError: tellProblem,
  });
}

export function useStop() {
  return useMutation({
    mutationFn: (of: { readonly type: "attempt" | "run" | "task"; readonly id: string }) =>
      answerOf(api.stop(of)),
    onError: tellProblem,
  });
}

export function useCancel() {
  return useMutation({
    mutationFn: (of: { readonly type: "attempt" | "run" | "task"; readonly id: string }) =>
      answerOf(api.cancel(of)),
    onError: tellProblem,
  });
}
