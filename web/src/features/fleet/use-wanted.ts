/** Tells which attempts the filter of the fleet wants: its words are looked for in what their cards say. */
import { cleanLine } from "@contract/text.ts";
import { useMemo } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { matches } from "../attempts/matches.ts";
import { useStateWords } from "../attempts/state-line.tsx";

export function useWanted(
  all: readonly AttemptCard[],
  { q, repository }: { readonly q?: string; readonly repository?: string },
): readonly AttemptCard[] {
  const { t } = useTranslation("fleet");
  const stateWords = useStateWords();
  return useMemo(
    () =>
      all.filter((each) => {
        const { task, attempt, card } = each;
        if (repository !== undefined && task.repository.id !== repository) return false;
        if (q === undefined) return true;
        const state = `${t(card.column)} ${stateWords(each)} ${attempt.state}`;
        return matches(
          `${cleanLine(task.title)} ${attempt.agent} ${attempt.worker?.name ?? ""} ${state} ${task.repository.name}`,
          q,
        );
      }),
    [all, q, repository, t, stateWords],
  );
}
