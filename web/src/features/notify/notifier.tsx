/** Tells a person who looks elsewhere that something needs them: in the tab's title and mark, and on the desktop. */
import { cleanLine } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { usePreferences } from "../../data/preferences.ts";
import { boardQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { useStateWords } from "../attempts/state-line.tsx";
import { useCards } from "../attempts/use-silence.ts";
import { newlyWaiting, stateKey } from "./newly-waiting.ts";

/** It also speaks to readers, one sentence for what came together. */
export function Notifier() {
  const { t } = useTranslation("shell");
  const { data } = useQuery(boardQuery);
  const { notifications } = usePreferences();
  const words = useStateWords();
  const navigate = useNavigate();
  const told = useRef<ReadonlySet<string> | null>(null);
  const region = useRef<HTMLDivElement>(null);
  const waiting = useCards().filter(({ card }) => card.column === "needs");
  const keys = waiting.map(stateKey).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys stand for what waits.
  useEffect(() => {
    if (data === undefined) return;
    badge(waiting.length);
    const fresh = newlyWaiting(waiting, told.current);
    told.current = new Set(waiting.map(stateKey));
    const [first] = fresh;
    if (first === undefined) return;
    const sentence = fresh.length === 1 ? sentenceOf(first, words) : `${t("needsYou")}: ${fresh.length}`;
    if (region.current !== null) region.current.textContent = sentence;
    if (notifications && document.hidden) notify(sentence, first, () => void open(first));
  }, [keys, data === undefined]);
  const open = ({ attempt }: AttemptCard) => navigate({ to: "/attempts/$id", params: { id: attempt.id } });
  return <div ref={region} role="status" className="visually-hidden" />;
}

/** The state and the title; never a command or code, since others may see the screen. */
function sentenceOf(card: AttemptCard, words: ReturnType<typeof useStateWords>): string {
  return `${words(card)}: ${cleanLine(card.task.title)}`;
}

function notify(sentence: string, { attempt }: AttemptCard, open: () => void): void {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  // A later one of the same attempt takes the place of the first.
  const shown = new Notification("Tazuna", { body: sentence, tag: attempt.id });
  shown.onclick = () => {
    window.focus();
    shown.close();
    open();
  };
}

/** The number in front of the tab's title; screens set the rest. */
function badge(count: number): void {
  document.documentElement.dataset.waiting = String(count);
  const plain = document.title.replace(/^\(\d+\) /, "");
  document.title = count === 0 ? plain : `(${count}) ${plain}`;
}
