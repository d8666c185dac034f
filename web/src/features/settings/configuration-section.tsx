/** The settings that hold, each with its source. */
import type { ConfigValue } from "@contract/endpoints/repositories.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { repositoriesQuery } from "../../data/queries.ts";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { configQuery } from "../new-task/queries.ts";
import { SettingsSection } from "./parts.tsx";

export function ConfigurationSection() {
  const { t } = useTranslation("settings");
  const { data: repositories } = useQuery(repositoriesQuery);
  const [path, setPath] = useState<string | null>(null);
  const [words, setWords] = useState("");
  const [isShort, setShort] = useState(false);
  const { data, error } = useQuery(configQuery(path));
  const shown = (data ?? []).filter(
    ({ key, source }) => key.includes(words.trim()) && (!isShort || source !== "default"),
  );
  return (
    <SettingsSection id="configuration" title={t("configuration")}>
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-3.5 py-2 text-small">
        <label className="flex items-center gap-2">
          {t("forWhich")}
          <select
            className="field w-48! max-sm:h-11"
            value={path ?? ""}
            onChange={({ target }) => setPath(target.value === "" ? null : target.value)}
          >
            <option value="">{t("allRepositories")}</option>
            {repositories?.items.map((repository) => (
              <option key={repository.id} value={repository.path}>
                {repository.name}
              </option>
            ))}
          </select>
        </label>
        <input
          data-filter=""
          aria-label={t("filter")}
          placeholder={t("filter")}
          className="field w-48! max-sm:h-11"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <label className="flex min-h-6 items-center gap-1.5">
          <input
            type="checkbox"
            className="accent-(--accent-fill)"
            checked={isShort}
            onChange={({ target }) => setShort(target.checked)}
          />
          {t("onlyChanged")}
        </label>
      </div>
      {error !== null && <ProblemNote error={error} />}
      <Values values={shown} />
    </SettingsSection>
  );
}

function Values({ values }: { readonly values: readonly ConfigValue[] }) {
  const { t } = useTranslation("settings");
  return (
    <table className="table table-fixed">
      <thead>
        <tr>
          <th scope="col" className="static! w-56 max-sm:w-36">
            {t("colKey")}
          </th>
          <th scope="col" className="static!">
            {t("colValue")}
          </th>
          <th scope="col" className="static! w-[30%] max-sm:hidden">
            {t("colSource")}
          </th>
        </tr>
      </thead>
      <tbody>
        {values.map(({ key, value, source }) => (
          <tr key={key}>
            <td className="[overflow-wrap:anywhere]">
              <code>{key}</code>
            </td>
            <td className="[overflow-wrap:anywhere]">
              <code className="text-ink-2">{JSON.stringify(value)}</code>
            </td>
            <td className="text-ink-3 [overflow-wrap:anywhere] max-sm:hidden">
              {source === "default" ? t("sourceDefault") : <code>{source}</code>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
