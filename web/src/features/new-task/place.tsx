/** Where the task is worked on: the repository, and the base that its attempts begin from. */
import type { RepositoryDocument } from "@contract/task-document.ts";
import { Link } from "@tanstack/react-router";
import { Folder, GitBranch } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { TaskForm } from "./form.ts";
import { Labelled } from "./parts.tsx";
import type { Configured } from "./queries.ts";

interface PlaceProps {
  readonly form: TaskForm;
  readonly repositories: readonly RepositoryDocument[];
  readonly configured: Configured | null;
  readonly onChange: (change: Partial<TaskForm>) => void;
}

export function Place(props: PlaceProps) {
  return (
    <div className="grid gap-3.5 sm:grid-cols-[1fr_1.35fr]">
      <RepositoryField {...props} />
      <BaseField {...props} />
    </div>
  );
}

function RepositoryField({ form, repositories, onChange }: PlaceProps) {
  const { t } = useTranslation("newTask");
  const chosen = repositories.find(({ id }) => id === form.repository);
  if (repositories.length === 0)
    return (
      <p className="text-small text-ink-2">
        {t("noRepository")}{" "}
        <Link to="/settings" className="text-accent underline">
          {t("addRepository")}
        </Link>
      </p>
    );
  return (
    <Labelled name={t("repository")}>
      {(id) => (
        <>
          <span className="relative block">
            <Folder size={14} aria-hidden="true" className="absolute top-[9px] left-2.5 text-ink-2" />
            <select
              id={id}
              className="field pl-8! font-semibold"
              value={form.repository ?? ""}
              onChange={({ target }) => onChange({ repository: target.value, base: "" })}
            >
              {repositories.map((repository) => (
                <option key={repository.id} value={repository.id}>
                  {repository.name}
                </option>
              ))}
            </select>
          </span>
          {chosen !== undefined && (
            <span className="mt-1 block truncate text-fine text-ink-3" title={chosen.path}>
              {chosen.path}
            </span>
          )}
        </>
      )}
    </Labelled>
  );
}

function BaseField({ form, configured, repositories, onChange }: PlaceProps) {
  const { t } = useTranslation("newTask");
  const isBare = repositories.find(({ id }) => id === form.repository)?.bare === true;
  return (
    <div>
      <Labelled name={t("base")}>
        {(id) => (
          <span className="relative block">
            <GitBranch size={14} aria-hidden="true" className="absolute top-[9px] left-2.5 text-ink-2" />
            <input
              id={id}
              className="field pl-8! font-semibold placeholder:font-normal"
              placeholder={configured?.base ?? t("baseDefault")}
              autoCapitalize="off"
              autoComplete="off"
              spellCheck={false}
              disabled={form.fromWorktree}
              value={form.fromWorktree ? "" : form.base}
              onChange={({ target }) => onChange({ base: target.value })}
            />
          </span>
        )}
      </Labelled>
      <span className="mt-1 flex flex-wrap gap-x-4 text-fine text-ink-2">
        {!isBare && (
          <Check
            words={t("ownTree")}
            checked={form.fromWorktree}
            onChange={(fromWorktree) => onChange({ fromWorktree })}
          />
        )}
        <Check words={t("offline")} checked={form.offline} onChange={(offline) => onChange({ offline })} />
      </span>
    </div>
  );
}

function Check(props: {
  readonly words: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <label className="flex min-h-6 items-center gap-1.5 max-sm:min-h-11">
      <input
        type="checkbox"
        className="accent-(--accent-fill)"
        checked={props.checked}
        onChange={({ target }) => props.onChange(target.checked)}
      />
      {props.words}
    </label>
  );
}
