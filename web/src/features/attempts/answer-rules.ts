/** The rules by which a person allows the same again: their list, how one is told, and how it is removed. */
import type { ListedTask } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api, problemOf } from "../../data/api.ts";
import { preferences } from "../../data/preferences.ts";
import { formatFor } from "../../i18n/format.ts";
import { loadWords, sayNow } from "../../i18n/i18n.ts";
import { tell, tellProblem } from "../../ui/toast.tsx";

export const rulesQuery = queryOptions({
  queryKey: ["answer-rules"],
  queryFn: async () => (await answerOf(api.answerRules())).items,
  meta: {
    renewedBy: ({ kind, data }) => kind === "operation.done" && String(data.kind).startsWith("answer_rule_"),
  },
});

export async function removeRule(id: string): Promise<void> {
  await answerOf(api.removeAnswerRule(id)).then(
    ({ text }) => tell({ title: sayNow("questions", "removed"), text: cleanLine(text) }),
    tellProblem,
  );
}

/** With the way back, if this answer made the rule. */
export async function tellRule(made: {
  readonly repository: ListedTask["repository"];
  readonly question: string;
  readonly text: string;
}): Promise<void> {
  const { repository, question, text } = made;
  // The rule is made; without its list it is told all the same.
  const [rules] = await Promise.all([api.answerRules({ repository: repository.id }), loadWords("questions")]);
  const rule = rules.isOk() ? rules.value.items.find((each) => each.question === question) : undefined;
  tell({
    title: sayNow("questions", "allowed", { repository: repository.name }),
    text: cleanLine(text),
    undo: rule && (() => void removeRule(rule.id)),
  });
}

/** Somebody was faster: says what they answered, and when. */
export async function tellAnswered(error: unknown): Promise<void> {
  await loadWords("questions");
  const { answer, at, by } = problemOf(error).details;
  const kinds = ["allow", "deny", "text"] as const;
  const kind = kinds.find((each) => each === answer);
  if (kind === undefined || typeof at !== "string") return tellProblem(error);
  const time = formatFor(preferences().language).clock(at);
  const name = typeof by === "string" ? cleanLine(by).replace(/ <[^>]*>$/, "") : null;
  tell({
    title: sayNow("questions", `already_${kind}`, { time }),
    ...(name === null ? {} : { text: sayNow("questions", "already_by", { name }) }),
  });
}
