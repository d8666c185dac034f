/** Lists the places of the control room, and what is done with all of it, by name. */

import { useNavigate } from "@tanstack/react-router";
import { answerOf, api, once } from "../../data/api.ts";
import type { KeySpec } from "../../data/keys/key-table.ts";
import { type Act, useWhyNot } from "../../data/may.ts";
import { setPreferences } from "../../data/preferences.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { SECTION_ASKS } from "../people/section-asks.ts";
import type { Command } from "./commands.ts";
import { PLACE_VERBS, WHOLE_VERBS } from "./verbs.ts";

const SECTIONS = [
  "agents",
  "workers",
  "repositories",
  "configuration",
  "doctor",
  "keys",
  "devices",
  "browsers",
] as const;

export function usePlaces(): readonly Command[] {
  const { t } = useTranslation("shell");
  const { t: s } = useTranslation("settings");
  const navigate = useNavigate();
  const whyNot = useWhyNot();
  const place = (
    id: keyof typeof PLACE_VERBS,
    words: string,
    run: () => void,
    keySpec?: KeySpec,
  ): Command => ({
    id: `place ${id}`,
    section: "goTo",
    words,
    also: PLACE_VERBS[id].join(" "),
    keySpec,
    run,
  });
  const section = (id: (typeof SECTIONS)[number]) =>
    place(id, `${t("settings")}: ${s(id)}`, () => void navigate({ to: "/settings", hash: id }));
  return [
    place("fleet", t("fleet"), () => void navigate({ to: "/" }), "g f"),
    place("table", t("table", { ns: "fleet" }), () => void navigate({ to: "/", search: { view: "table" } })),
    place("needs", t("needsYou"), () => void navigate({ to: "/", search: { column: "needs" } })),
    place("review", t("review"), () => void navigate({ to: "/", search: { column: "review" } }), "g r"),
    place("activity", t("activity"), () => void navigate({ to: "/activity" }), "g a"),
    place("storage", t("storage"), () => void navigate({ to: "/storage" }), "g s"),
    place(
      "trash",
      t("goTrash", { ns: "palette" }),
      () => void navigate({ to: "/storage", search: { view: "trash" } }),
    ),
    place("settings", t("settings"), () => void navigate({ to: "/settings" }), "g ,"),
    ...SECTIONS.filter((id) => whyNot(SECTION_ASKS[id] ?? "you") === null).map(section),
  ];
}

/** What each act on the whole asks of the server. */
const ASKS: Readonly<Partial<Record<keyof typeof WHOLE_VERBS, Act>>> = {
  run: "createTask",
  demo: "demo",
  "add repository": "addRepository",
  "engine stop": "leave",
};

export function useWholeActs(): readonly Command[] {
  const { t } = useTranslation("palette");
  const navigate = useNavigate();
  const whyNot = useWhyNot();
  /** None if the person may not do it. */
  const act = (
    id: keyof typeof WHOLE_VERBS,
    words: string,
    run: () => void,
    keySpec?: KeySpec,
  ): readonly Command[] =>
    whyNot(ASKS[id] ?? "you") === null
      ? [
          {
            id: `do ${id}`,
            section: "do",
            words,
            also: [id, ...WHOLE_VERBS[id]].join(" "),
            keySpec,
            run,
          },
        ]
      : [];
  const engine = async () => {
    const left = await answerOf(api.leave({ only_idle: true })).catch(tellProblem);
    if (left !== undefined) tell({ title: t(left.leaving ? "engineLeft" : "engineBusy") });
  };
  return [
    act("run", t("newTask", { ns: "shell" }), () => void navigate({ to: "/tasks/new" }), "n"),
    act("demo", t("startDemo", { ns: "fleet" }), () => {
      void navigate({ to: "/" });
      answerOf(api.demo({ ask: true }, once())).catch(tellProblem);
    }),
    act(
      "add repository",
      t("addRepository", { ns: "fleet" }),
      () => void navigate({ to: "/settings", hash: "repositories" }),
    ),
    act("english", "English", () => setPreferences({ language: "en" })),
    act("japanese", "日本語", () => setPreferences({ language: "ja" })),
    ...(["system", "light", "dark"] as const).map((theme) =>
      act(`theme ${theme}`, `${t("theme", { ns: "shell" })}: ${t(THEMES[theme], { ns: "shell" })}`, () =>
        setPreferences({ theme }),
      ),
    ),
    act("engine stop", t("engineStop"), () => void engine()),
  ].flat();
}

const THEMES = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;
