/** Lists what can be done by name: acts on the focused attempt, places, acts on the whole, attempts, files. */
import { cleanLine } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { KeySpec } from "../../data/keys/key-table.ts";
import { boardQuery } from "../../data/queries.ts";
import { nameOf, useAttemptActs } from "../attempts/attempt-acts.ts";
import { ATTEMPT_VERBS } from "../attempts/attempt-verbs.ts";
import { type AttemptCard, cardsOf } from "../attempts/cards.ts";
import { useFiles } from "./files.ts";
import { usePlaces, useWholeActs } from "./places.ts";

export interface Command {
  readonly id: string;
  readonly section: "do" | "goTo" | "attempts" | "files";
  readonly words: string;
  /** Further words by which it is found, such as the command line's verb. */
  readonly also?: string;
  readonly beside?: string;
  readonly keySpec?: KeySpec | undefined;
  readonly run: () => void;
}

/** `attempt` is the one that has the focus, or whose screen is open; null if there is none. */
export function useCommands(attempt: string | null): readonly Command[] {
  const { data = [] } = useQuery(boardQuery);
  const cards = cardsOf(data);
  const focused = cards.find((card) => card.attempt.id === attempt) ?? null;
  const acts = useFocusedActs(focused);
  return [
    ...acts.filter(({ isIdle }) => !isIdle),
    ...usePlaces(),
    ...useWholeActs(),
    ...acts.filter(({ isIdle }) => isIdle),
    ...useAttempts(cards),
    ...useFiles(focused),
  ];
}

/** Those that make no sense now come last: they are still found by name, and then refused with words. */
function useFocusedActs(focused: AttemptCard | null): readonly (Command & { readonly isIdle: boolean })[] {
  const acts = useAttemptActs();
  if (focused === null) return [];
  return acts(focused).map(({ id, words, keySpec, isIdle = false, run }) => ({
    id: `focused ${id}`,
    section: "do",
    words,
    also: [id, ...ATTEMPT_VERBS[id]].join(" "),
    beside: nameOf(focused),
    keySpec,
    isIdle,
    run,
  }));
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
