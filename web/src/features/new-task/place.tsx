/** Where the task is worked on: the repository, and the base that its attempts begin from. */
import type { ListedRepositoryDocument } from "@contract/endpoints/repositories.ts";
import { joinedByAddress } from "@contract/same-repository.ts";
import { Link } from "@tanstack/react-router";
import { Folder } from "lucide-react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { BaseField } from "./base-field.tsx";
import type { TaskForm } from "./form.ts";
import { Labelled } from "./parts.tsx";
import type { Preview } from "./preview.ts";
import { type Configured, canBegin } from "./queries.ts";

interface PlaceProps {
  readonly form: TaskForm;
  readonly repositories: readonly ListedRepositoryDocument[];
  readonly configured: Configured | null;
  readonly preview: Preview | undefined;
  readonly onChange: (change: Partial<TaskForm>) => void;
}

export function Place(props: PlaceProps) {
  return (
    <div className="grid gap-3.5 sm:grid-cols-[1fr_1.35fr]">
      <RepositoryField {...props} />
      <BaseField
        form={props.form}
        isBare={!hasCheckout(props.repositories.find(({ id }) => id === props.form.repository))}
        otherwise={props.configured?.base ?? null}
        preview={props.preview}
        onChange={props.onChange}
      />
    </div>
  );
}

/** A checkout of another machine is nobody's working tree here. */
function hasCheckout(chosen: ListedRepositoryDocument | undefined): boolean {
  return chosen === undefined || (!chosen.bare && chosen.worker === null);
}

/** A folder of another machine says nothing here; its address does. */
function placeOf({ worker, address, path }: ListedRepositoryDocument): string {
  return worker === null ? path : (address ?? path);
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
            <Folder size={14} aria-hidden="true" className="absolute inset-y-0 left-2.5 my-auto text-ink-2" />
            <select
              id={id}
              className="field pl-8! font-semibold"
              value={form.repository ?? ""}
              onChange={({ target }) => onChange({ repository: target.value, base: "" })}
            >
              {joinedByAddress(repositories).map(({ repository, workers }) => (
                <option key={repository.id} value={repository.id} disabled={!canBegin(repository)}>
                  {repository.name}
                  {workers.length > 0 &&
                    ` (${t(repository.worker === null ? "alsoOn" : "onWorker", { ns: "workers", name: workers.join(", ") })})`}
                </option>
              ))}
            </select>
          </span>
          {chosen !== undefined && (
            <span className="mt-1 block truncate text-fine text-ink-3" title={placeOf(chosen)}>
              {placeOf(chosen)}
            </span>
          )}
        </>
      )}
    </Labelled>
  );
}
