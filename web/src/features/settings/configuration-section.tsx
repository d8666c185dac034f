/** The settings that hold, each with its source. */
import type { ConfigValue } from "@contract/endpoints/repositories.ts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { repositoriesQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { configQuery } from "../new-task/queries.ts";
import { SettingsSection } from "./parts.tsx";
import { type SettingSchema, schemaOf } from "./setting.ts";
import { SettingEditor } from "./setting-editor.tsx";

export function ConfigurationSection() {
  const { t } = useTranslation("settings");
  const { data: repositories } = useQuery(repositoriesQuery);
  const [of, setOf] = useState<string | null>(null);
  const [words, setWords] = useState("");
  const [isShort, setShort] = useState(false);
  const { data, error } = useQuery(configQuery(of));
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
            value={of ?? ""}
            onChange={({ target }) => setOf(target.value === "" ? null : target.value)}
          >
            <option value="">{t("allRepositories")}</option>
            {repositories?.items.map((repository) => (
              <option key={repository.id} value={repository.id}>
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
        <label className="tick">
          <input type="checkbox" checked={isShort} onChange={({ target }) => setShort(target.checked)} />
          {t("onlyChanged")}
        </label>
      </div>
      {error !== null && <ProblemNote error={error} />}
      {/* What was begun for one file is not written into another one. */}
      <Values key={of} values={shown} repository={of} />
    </SettingsSection>
  );
}

function Values(props: { readonly values: readonly ConfigValue[]; readonly repository: string | null }) {
  const { t } = useTranslation("settings");
  const [edited, setEdited] = useState<string | null>(null);
  const { data: schema } = useQuery({
    queryKey: ["config-schema"],
    queryFn: async () => (await answerOf(api.configSchema())) as SettingSchema,
  });
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
          <th scope="col" className="static! w-[26%] max-sm:hidden">
            {t("colSource")}
          </th>
          <th scope="col" className="static! w-24">
            <span className="visually-hidden">{t("change")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.values.map((setting) => (
          <Value
            key={setting.key}
            setting={setting}
            schema={schemaOf(schema, setting.key)}
            repository={props.repository}
            isEdited={edited === setting.key}
            onEdit={setEdited}
          />
        ))}
      </tbody>
    </table>
  );
}

function Value(props: {
  readonly setting: ConfigValue;
  readonly schema: SettingSchema | null;
  readonly repository: string | null;
  readonly isEdited: boolean;
  readonly onEdit: (key: string | null) => void;
}) {
  const { t } = useTranslation("settings");
  const { setting, schema } = props;
  const { key, value, source } = setting;
  const row = useRef<HTMLTableRowElement>(null);
  // What is edited, and why it was refused, need the room of the source and the button too.
  const rest = useMedia("(max-width: 639px)") ? 2 : 3;
  const close = () => {
    props.onEdit(null);
    // The field goes, and the button that opened it comes back.
    setTimeout(() => row.current?.querySelector("button")?.focus());
  };
  return (
    <tr ref={row} className="align-top">
      <td className="[overflow-wrap:anywhere]">
        <code>{key}</code>
        {schema?.description !== undefined && (
          <span lang="en" className="block text-fine text-ink-3">
            {schema.description}
          </span>
        )}
      </td>
      <td className="[overflow-wrap:anywhere]" colSpan={props.isEdited ? rest : 1}>
        {props.isEdited ? (
          <SettingEditor setting={setting} schema={schema} repository={props.repository} onClose={close} />
        ) : (
          <code className="text-ink-2">{JSON.stringify(value)}</code>
        )}
      </td>
      {!props.isEdited && (
        <>
          <td className="text-ink-3 [overflow-wrap:anywhere] max-sm:hidden">
            {source === "default" ? t("sourceDefault") : <code>{source}</code>}
          </td>
          <td className="text-right">
            <Button kind="quiet" size="small" asks="changeSetting" onClick={() => props.onEdit(key)}>
              {t("change")}
              <span className="visually-hidden">{key}</span>
            </Button>
          </td>
        </>
      )}
    </tr>
  );
}
