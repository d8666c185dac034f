/** Lists what can be done by name: places, acts on the focused attempt, acts on the whole, attempts. */
import { cleanLine } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { answerOf, api, once } from "../../data/api.ts";
import { setPreferences } from "../../data/preferences.ts";
import { boardQuery } from "../../data/queries.ts";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { type AttemptCard, cardsOf } from "../attempts/cards.ts";

export interface Command {
  readonly id: string;
  readonly section: "do" | "goTo" | "attempts";
  readonly words: string;
  /** Further words by which it is found, such as the command line's verb. */
  readonly also?: string;
  readonly beside?: string;
  readonly run: () => void;
}

/** `attempt` is the one that has the focus, or whose screen is open; null if there is none. */
export function useCommands(attempt: string | null): readonly Command[] {
  const { data = [] } = useQuery(boardQuery);
  const cards = cardsOf(data);
  const focused = cards.find((card) => card.attempt.id === attempt) ?? null;
  const acts = useAttemptActs();
  return [
    ...(focused === null ? [] : acts(focused)),
    ...usePlaces(),
    ...useWholeActs(),
    ...useAttempts(cards),
  ];
}

function useAttempts(cards: readonly AttemptCard[]): readonly Command[] {
  const navigate = useNavigate();
  return cards.map(({ task, attempt, letter }) => ({
    id: `attempt ${attempt.id}`,
    section: "attempts",
    words: cleanLine(task.title),
    beside: `${task.attempts.length > 1 ? `${letter} · ` : ""}${attempt.agent} · ${task.repository.name}`,
    also: `${attempt.id.slice(0, 8)} ${attempt.agent} ${attempt.branch} ${task.id.slice(0, 8)}`,
    run: () => void navigate({ to: "/attempts/$id", params: { id: attempt.id } }),
  }));
}

function usePlaces(): readonly Command[] {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const place = (id: string, words: string, run: () => void, also?: string): Command => ({
    id: `place ${id}`,
    section: "goTo",
    words,
    run,
    ...(also === undefined ? {} : { also }),
  });
  return [
    place("fleet", t("fleet"), () => void navigate({ to: "/" }), "list"),
    place("table", t("table", { ns: "fleet" }), () => void navigate({ to: "/", search: { view: "table" } })),
    place("needs", t("needsYou"), () => void navigate({ to: "/", search: { column: "needs" } })),
    place("review", t("review"), () => void navigate({ to: "/", search: { column: "review" } })),
    place("activity", t("activity"), () => void navigate({ to: "/activity" }), "undo"),
    place("storage", t("storage"), () => void navigate({ to: "/storage" }), "clean"),
    place(
      "trash",
      t("goTrash", { ns: "palette" }),
      () => void navigate({ to: "/storage", search: { view: "trash" } }),
      "trash list restore empty",
    ),
    place(
      "settings",
      t("settings"),
      () => void navigate({ to: "/settings" }),
      "agents doctor config trust repo",
    ),
  ];
}

function useWholeActs(): readonly Command[] {
  const { t } = useTranslation("palette");
  const navigate = useNavigate();
  const act = (id: string, words: string, run: () => void, also = id): Command => ({
    id: `do ${id}`,
    section: "do",
    words,
    also,
    run,
  });
  const engine = async (onlyIdle: boolean) => {
    const left = await answerOf(api.leave({ only_idle: onlyIdle })).catch(tellProblem);
    if (left !== undefined) tell({ title: t(left.leaving ? "engineLeft" : "engineBusy") });
  };
  return [
    act("run", t("newTask", { ns: "shell" }), () => void navigate({ to: "/tasks/new" })),
    act("demo", t("startDemo", { ns: "fleet" }), () => {
      void navigate({ to: "/" });
      answerOf(api.demo({ ask: true }, once())).catch(tellProblem);
    }),
    act("repo add", t("addRepository", { ns: "fleet" }), () => void navigate({ to: "/settings" })),
    act("english", "English", () => setPreferences({ language: "en" }), "language"),
    act("japanese", "日本語", () => setPreferences({ language: "ja" }), "language"),
    ...(["system", "light", "dark"] as const).map((theme) =>
      act(`theme ${theme}`, `${t("theme", { ns: "shell" })}: ${t(THEMES[theme], { ns: "shell" })}`, () =>
        setPreferences({ theme }),
      ),
    ),
    act("engine stop", t("engineStop"), () => void engine(true)),
  ];
}

const THEMES = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;

/** What the command line does with an attempt. What needs words or a look opens the screen that has them. */
function useAttemptActs(): (of: AttemptCard) => readonly Command[] {
  const { t } = useTranslation("palette");
  const navigate = useNavigate();
  return ({ task, attempt, letter, card }) => {
    const params = { id: attempt.id };
    const name = `${cleanLine(task.title)}${task.attempts.length > 1 ? ` · ${letter}` : ""}`;
    const act = (id: string, words: string, run: () => void, also = id): Command => ({
      id: `focused ${id}`,
      section: "do",
      words,
      also,
      beside: name,
      run,
    });
    const call = (words: string, reply: () => Promise<unknown>) => () => {
      reply().then(() => tell({ title: words, text: name }), tellProblem);
    };
    const ship = () => void navigate({ to: "/attempts/$id/ship", params });
    const run = card.run ?? attempt.runs.at(-1) ?? null;
    const isGoing = card.column === "working" || card.column === "queued";
    const isPast = attempt.state === "removed" || attempt.state === "canceled";
    return [
      act("show", t("open"), () => void navigate({ to: "/attempts/$id", params })),
      act("diff", t("review"), () => void navigate({ to: "/attempts/$id/review", params })),
      act("ship", t("ship"), ship, "publish pr merge apply revert"),
      act(
        "compare",
        t("compare"),
        () => void navigate({ to: "/tasks/$id", params: { id: task.id } }),
        "choose compose",
      ),
      act(
        "continue",
        t("continue"),
        () => void navigate({ to: "/attempts/$id", params, search: { write: "1" } }),
        "follow up queue",
      ),
      ...(isGoing
        ? [
            act(
              "stop",
              t("stop"),
              call(t("stopped"), () => answerOf(api.stop({ type: "attempt", ...params }))),
            ),
          ]
        : []),
      ...(run !== null && run.status === "FAILED"
        ? [
            act(
              "retry",
              t("retry"),
              call(t("begun"), () => answerOf(api.retry(run.id, { from: "start" }, once()))),
            ),
            act(
              "retry push",
              t("retryPush"),
              call(t("begun"), () => answerOf(api.retry(run.id, { from: "push" }, once()))),
            ),
          ]
        : []),
      ...(isPast
        ? []
        : [
            act(
              "merge base",
              t("mergeBase"),
              call(t("begun"), () =>
                answerOf(api.followUp(attempt.id, { merge_base: true, resolve: true }, once())),
              ),
            ),
            act(
              "cancel",
              t("cancel"),
              call(t("canceled"), () => answerOf(api.cancel({ type: "attempt", ...params }))),
            ),
          ]),
      act(
        "path",
        t("copyPath"),
        call(t("copied"), () => navigator.clipboard.writeText(attempt.worktree)),
      ),
      act(
        "branch",
        t("copyBranch"),
        call(t("copied"), () => navigator.clipboard.writeText(attempt.branch)),
      ),
      act(
        "activity",
        t("activity"),
        () => void navigate({ to: "/activity", search: { subject: attempt.id } }),
      ),
    ];
  };
}
