/** The menu of a card: what can be done with its attempt, and its place in the selection. */
import { useTranslation } from "react-i18next";
import { useAttemptActs } from "../attempts/attempt-acts.ts";
import type { AttemptCard } from "../attempts/cards.ts";
import { ActionsMenu } from "../keys/actions-menu.tsx";
import { idsOf } from "./fleet-keys.ts";
import { canBeChosen, useSelection } from "./selection.tsx";

/** Acts that a card shows as buttons, and those that lead to the same screen as another. */
const LEFT_OUT = new Set(["logs", "answer", "publish", "pr", "merge", "apply", "revert", "restore", "fork"]);

export function CardActions({ cards }: { readonly cards: readonly AttemptCard[] }) {
  const { t } = useTranslation("palette");
  const { t: f } = useTranslation("fleet");
  const acts = useAttemptActs();
  const { chosen, toggle } = useSelection();
  const itemsOf = (thing: HTMLElement) => {
    const of = cards.find(({ attempt }) => attempt.id === thing.dataset.card);
    if (of === undefined) return [];
    const isChosen = chosen.has(of.attempt.id);
    return [
      ...acts(of).filter(({ id, isIdle }) => !isIdle && !LEFT_OUT.has(id)),
      {
        words: t(isChosen ? "unselect" : "select"),
        keySpec: "x" as const,
        off: canBeChosen(of) ? null : f("notSelectable"),
        run: () => toggle(idsOf(thing)),
      },
    ];
  };
  return <ActionsMenu things="[data-card]" itemsOf={itemsOf} />;
}
