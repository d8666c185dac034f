/** Lists what can be done with an attempt, by name: for the palette and for the menu of a card. */

import { cleanLine } from "@contract/text.ts";
import { useNavigate } from "@tanstack/react-router";
import { answerOf, api, once } from "../../data/api.ts";
import type { KeySpec } from "../../data/keys/key-table.ts";
import { type Act, useWhyNot } from "../../data/may.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import type { AttemptActId } from "./attempt-verbs.ts";
import { type AttemptCard, isGoing } from "./cards.ts";
import { openOutside } from "./outside.ts";

interface AttemptAct {
  readonly id: AttemptActId;
  readonly words: string;
  readonly keySpec?: KeySpec;
  /** What it leads to at the server. Who may not do that has no such act. */
  readonly asks?: Act;
  readonly danger?: boolean;
  /** It makes no sense as the attempt stands. The server would refuse it, with words. */
  readonly isIdle?: boolean;
  readonly run: () => void;
}

export function nameOf({ task, letter }: Pick<AttemptCard, "task" | "letter">): string {
  return `${cleanLine(task.title)}${task.attempts.length > 1 ? ` · ${letter}` : ""}`;
}

/** What needs words or a look opens the screen that has them. */
export function useAttemptActs(): (of: AttemptCard) => readonly AttemptAct[] {
  const places = usePlaces();
  const calls = useCalls();
  const whyNot = useWhyNot();
  return (of) =>
    [...places(of), ...calls(of)].filter(({ asks }) => asks === undefined || whyNot(asks) === null);
}

function usePlaces(): (of: AttemptCard) => readonly AttemptAct[] {
  const { t } = useTranslation("palette");
  const navigate = useNavigate();
  return ({ task, attempt, card }) => {
    const params = { id: attempt.id };
    const open = (search: { readonly write?: "1"; readonly talk?: "raw"; readonly ask?: "review" } = {}) =>
      void navigate({ to: "/attempts/$id", params, search });
    const ship = () => void navigate({ to: "/attempts/$id/ship", params });
    const compare = (search: { readonly take?: "1" } = {}) =>
      void navigate({ to: "/tasks/$id", params: { id: task.id }, search });
    const hasOthers = task.attempts.length > 1;
    return [
      { id: "show", words: t("open"), keySpec: "enter", run: () => open() },
      { id: "logs", words: t("logs"), run: () => open({ talk: "raw" }) },
      {
        id: "answer",
        asks: "answer",
        words: t("answer"),
        isIdle: card.run?.question == null,
        run: () => open(),
      },
      {
        id: "diff",
        words: t("review"),
        keySpec: "v",
        run: () => void navigate({ to: "/attempts/$id/review", params }),
      },
      { id: "compare", words: t("compare"), keySpec: "=", isIdle: !hasOthers, run: () => compare() },
      {
        id: "compose",
        asks: "compose",
        words: t("compose"),
        isIdle: !hasOthers,
        run: () => compare({ take: "1" }),
      },
      {
        id: "continue",
        asks: "followUp",
        words: t("continue"),
        keySpec: "r",
        run: () => open({ write: "1" }),
      },
      { id: "review", asks: "review", words: t("askReview"), run: () => open({ ask: "review" }) },
      { id: "fork", asks: "fork", words: t("fork"), run: () => open() },
      { id: "restore", asks: "restoreRun", words: t("restore"), run: () => open() },
      { id: "ship", words: t("ship"), keySpec: "S", run: ship },
      { id: "publish", asks: "publish", words: t("publish"), run: ship },
      { id: "pr", asks: "openPullRequest", words: t("pullRequest"), run: ship },
      { id: "merge", asks: "merge", words: t("merge"), run: ship },
      { id: "apply", asks: "apply", words: t("apply"), run: ship },
      { id: "revert", asks: "revert", words: t("revert"), run: ship },
      {
        id: "activity",
        words: t("activity"),
        run: () => void navigate({ to: "/activity", search: { subject: attempt.id } }),
      },
    ];
  };
}

function useCalls(): (of: AttemptCard) => readonly AttemptAct[] {
  const { t } = useTranslation("palette");
  return (of) => {
    const { attempt, card } = of;
    const call = (words: string, reply: () => Promise<unknown>) => () => {
      reply().then(() => tell({ title: words, text: nameOf(of) }), tellProblem);
    };
    const subject = { type: "attempt", id: attempt.id } as const;
    const run = card.run ?? attempt.runs.at(-1) ?? null;
    const retry = (from: "start" | "push") =>
      call(t("begun"), () => answerOf(api.retry(run?.id ?? attempt.id, { from }, once())));
    const hasFailed = run?.status === "FAILED";
    const isPast = attempt.state === "removed" || attempt.state === "canceled";
    const merge = () => answerOf(api.followUp(attempt.id, { merge_base: true, resolve: true }, once()));
    return [
      {
        id: "stop",
        asks: "stop",
        words: t("stop"),
        keySpec: "s",
        isIdle: !isGoing(of),
        run: call(t("stopped"), () => answerOf(api.stop(subject))),
      },
      { id: "retry", asks: "retry", words: t("retry"), isIdle: !hasFailed, run: retry("start") },
      { id: "retry push", asks: "retry", words: t("retryPush"), isIdle: !hasFailed, run: retry("push") },
      {
        id: "merge base",
        asks: "followUp",
        words: t("mergeBase"),
        isIdle: isPast,
        run: call(t("begun"), merge),
      },
      { id: "outside", words: t("outside"), keySpec: "o", run: () => openOutside(of) },
      {
        id: "path",
        words: t("copyPath"),
        run: call(t("copied"), () => navigator.clipboard.writeText(attempt.worktree)),
      },
      {
        id: "branch",
        words: t("copyBranch"),
        keySpec: "y",
        run: call(t("copied"), () => navigator.clipboard.writeText(attempt.branch)),
      },
      {
        id: "cancel",
        asks: "cancel",
        words: t("cancel"),
        danger: true,
        isIdle: isPast,
        run: call(t("canceled"), () => answerOf(api.cancel(subject))),
      },
    ];
  };
}
