/** The state of an attempt: sign and words in the colour of its family. */
import { cleanLine } from "@contract/text.ts";
import type { Card } from "@contract/words/present-card.ts";
import { useCallback } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { StateSign } from "../../ui/state-sign.tsx";
import type { AttemptCard } from "./cards.ts";

export function StateLine({ of, count }: { readonly of: AttemptCard; readonly count?: number }) {
  const words = useStateWords()(of, count);
  return (
    <span className={`family-${of.card.family} flex min-w-0 items-center gap-1.5 text-fine font-medium`}>
      <StateSign sign={of.card.sign} />
      <span className="truncate text-(--tone)" title={words}>
        {words}
      </span>
    </span>
  );
}

/** The state in words. `count` attempts that share a card have words of their own. */
export function useStateWords() {
  const { t, isKnown } = useTranslation("states");
  const { clock } = useFormat();
  // Another function only in another language: long lists are filtered by what it says.
  return useCallback(
    ({ card, attempt, task }: Pick<AttemptCard, "card" | "attempt" | "task">, count = 1): string => {
      if (card.column === "review" && count > 1) return t("compare", { count });
      if (card.column === "working" && count > 1) return t("atWork", { count });
      const pull = attempt.pull_request;
      const code =
        card.code === "merged" && pull?.state === "merged"
          ? "merged_pull"
          : codeFor(card, task.decision?.attempt === attempt.id);
      const { run } = card;
      const at = run?.waits_for?.until ?? run?.resume_at ?? null;
      const values = {
        run: run?.number ?? 1,
        limit: run?.waits_for?.limit ?? 0,
        worker: run?.waits_for?.worker ?? "",
        time: at === null ? "…" : clock(at),
        number: pull?.number ?? 0,
        check: cleanLine(pull?.failed_checks[0] ?? failedCheckOf(card) ?? ""),
      };
      // A code of a newer server has no words here yet.
      return isKnown(code) ? t(code, values) : code.replaceAll("_", " ");
    },
    [t, isKnown, clock],
  );
}

/** The check that failed the run. */
const failedCheckOf = ({ run }: Card): string | undefined => {
  const failed = run?.checks.find(({ passed, required }) => required && !passed);
  return failed?.name;
};

function codeFor(card: Card, isChosen: boolean): string {
  const { code, run, column } = card;
  // Of the engine or of the forge: the sentence is the same.
  if (code === "failed_check_failed" && failedCheckOf(card) !== undefined) return "pr_checks_failed";
  if (code !== "pushed") return code;
  if (isChosen && column === "ready") return "chosen";
  return (run?.number ?? 1) > 1 ? "pushed_again" : code;
}
