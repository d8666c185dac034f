/** The menu of a card: what can be done with its attempt, and its place in the selection. It is loaded when it is asked for. */
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Menu } from "../../ui/menu.tsx";
import { useAttemptActs } from "../attempts/attempt-acts.ts";
import type { AttemptCard } from "../attempts/cards.ts";
import { idsOf } from "./fleet-keys.ts";
import { canBeChosen, useSelection } from "./selection.tsx";
import { useStopCard } from "./stop-card.ts";

/** Acts that a card shows as buttons, and those that lead to the same screen as another. */
const LEFT_OUT = new Set(["logs", "answer", "publish", "pr", "merge", "apply", "revert", "restore", "fork"]);

export function CardMenu(props: {
  readonly cards: readonly AttemptCard[];
  readonly thing: HTMLElement;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("palette");
  const { t: f } = useTranslation("fleet");
  const acts = useAttemptActs();
  const { chosen, toggle } = useSelection();
  const stop = useStopCard(props.cards);
  const { thing } = props;
  const of = props.cards.find(({ attempt }) => attempt.id === thing.dataset.card);
  if (of === undefined) return null;
  const ids = idsOf(thing);
  const items = [
    ...acts(of)
      .filter(({ id, isIdle }) => !isIdle && !LEFT_OUT.has(id))
      // As the key does.
      .map((act) => (act.id === "stop" && ids.length > 1 ? { ...act, run: () => stop(ids) } : act)),
    {
      words: t(chosen.has(of.attempt.id) ? "unselect" : "select"),
      keySpec: "x" as const,
      off: canBeChosen(of) ? null : f("notSelectable"),
      run: () => toggle(ids),
    },
  ];
  return <Menu open anchor={thing} items={items} onOpenChange={(open) => !open && props.onClose()} />;
}
