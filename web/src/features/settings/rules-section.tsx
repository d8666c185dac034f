/** What agents may do without asking again, by rules that a person made; each can be removed. */
import { cleanText } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { repositoriesQuery } from "../../data/queries.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { removeRule, rulesQuery } from "../attempts/answer-rules.ts";
import { SettingsSection } from "./parts.tsx";

export function RulesSection() {
  const { t } = useTranslation("questions");
  const { t: s } = useTranslation("settings");
  const { clock } = useFormat();
  const { data: rules, error } = useQuery(rulesQuery);
  const { data: repositories } = useQuery(repositoriesQuery);
  return (
    <SettingsSection id="rules" title={s("rules")}>
      {error !== null && <ProblemNote error={error} />}
      <p className="px-3.5 py-2 text-small text-ink-3">{t(rules?.length === 0 ? "noRules" : "rulesHint")}</p>
      <ul>
        {rules?.map(({ id, kind, text, folder, repository, at }) => (
          <li
            key={id}
            className="flex flex-wrap items-start gap-x-3 gap-y-1 border-t border-line px-3.5 py-2 text-small"
          >
            <span className="w-36 truncate font-medium">
              {repositories?.items.find((each) => each.id === repository)?.name ?? repository.slice(0, 8)}
            </span>
            <span className="min-w-0 flex-1 basis-52">
              {kind === "prefix" && <span className="block text-ink-3">{t("beginning")}</span>}
              <code className="break-all whitespace-pre-wrap">{cleanText(text)}</code>
              {folder !== "" && (
                <bdi className="block text-ink-3">{t("inFolder", { folder: cleanText(folder) })}</bdi>
              )}
            </span>
            <time dateTime={at} className="text-ink-3 tabular-nums">
              {clock(at)}
            </time>
            <Button kind="quiet" size="small" asks="removeAnswerRule" onClick={() => void removeRule(id)}>
              {t("remove")}
              <span className="visually-hidden">{cleanText(text)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </SettingsSection>
  );
}
