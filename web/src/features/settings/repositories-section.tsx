/** The repositories that Tazuna knows: their place, checks and scripts; adding, moving, removing one. */
import type { ListedRepositoryDocument } from "@contract/endpoints/repositories.ts";
import { joinedByAddress } from "@contract/same-repository.ts";
import type { RepositoryDocument } from "@contract/task-document.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { repositoriesQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { AddRepository } from "../fleet/add-repository.tsx";
import { configQuery, configuredOf } from "../new-task/queries.ts";
import { SettingsSection } from "./parts.tsx";
import { RepositoryScripts } from "./repository-scripts.tsx";

export function RepositoriesSection() {
  const { t } = useTranslation("settings");
  const { data } = useQuery(repositoriesQuery);
  const [isAdding, setAdding] = useState(false);
  const repositories = data?.items ?? [];
  return (
    <SettingsSection
      id="repositories"
      title={t("repositories")}
      acts={
        <Button
          size="small"
          asks="addRepository"
          onClick={() => setAdding(!isAdding)}
          aria-expanded={isAdding}
        >
          {t("add")}
        </Button>
      }
    >
      {isAdding && (
        <div className="border-b border-line p-3.5">
          <AddRepository
            onAdded={() => {
              setAdding(false);
              tell({ title: t("added") });
            }}
          />
        </div>
      )}
      {data !== undefined && repositories.length === 0 && (
        <p className="p-3.5 text-ink-3">{t("noRepositories")}</p>
      )}
      <ul>
        {joinedByAddress(repositories).map(({ repository, workers }) => (
          <li
            key={repository.id}
            data-repository={repository.path}
            className="border-b border-line px-3.5 py-3 last:border-0"
          >
            <Repository repository={repository} workers={workers} />
          </li>
        ))}
      </ul>
    </SettingsSection>
  );
}

interface RepositoryProps {
  readonly repository: ListedRepositoryDocument;
  /** The names of the other workers that have it too. */
  readonly workers: readonly string[];
}

function Repository({ repository, workers }: RepositoryProps) {
  const { t } = useTranslation("settings");
  const { id, name, path, url, bare, demo, worker } = repository;
  const [isMoving, setMoving] = useState(false);
  const remove = useMutation({
    mutationFn: () => answerOf(api.removeRepository(id)),
    onSuccess: () => tell({ title: t("removed", { name }) }),
    onError: tellProblem,
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-body">{name}</h3>
        {bare && <span className="chip">{t("bare")}</span>}
        {workers.length > 0 && (
          <span className="chip">
            {t(worker === null ? "alsoOn" : "onWorker", { ns: "workers", name: workers.join(", ") })}
          </span>
        )}
        {demo && <span className="chip">{t("demo")}</span>}
        {worker === null && (
          <span className="ml-auto flex gap-1.5">
            <Button
              kind="quiet"
              size="small"
              asks="moveRepository"
              aria-expanded={isMoving}
              onClick={() => setMoving(!isMoving)}
            >
              {t("move")}
              <span className="visually-hidden">{name}</span>
            </Button>
            <Button
              kind="quiet"
              size="small"
              asks="removeRepository"
              busy={remove.isPending}
              onClick={() => remove.mutate()}
            >
              {t("remove")}
              <span className="visually-hidden">{name}</span>
            </Button>
          </span>
        )}
      </div>
      <p className="text-small text-ink-3 [overflow-wrap:anywhere]">
        <code>{path}</code>
        {url !== null && <span> · {t("clonedFrom", { url })}</span>}
      </p>
      {isMoving && <Move repository={repository} onMoved={() => setMoving(false)} />}
      {/* Its files are read on its own worker. */}
      {worker === null && <Declared id={id} />}
      {worker === null && <RepositoryScripts repository={repository} />}
    </>
  );
}

function Move(props: { readonly repository: RepositoryDocument; readonly onMoved: () => void }) {
  const { t } = useTranslation("settings");
  const { id, name, path } = props.repository;
  const [place, setPlace] = useState(path);
  const move = useMutation({
    mutationFn: () => answerOf(api.moveRepository(id, { path: place.trim() })),
    onSuccess: () => {
      tell({ title: t("moved", { name }) });
      props.onMoved();
    },
    onError: tellProblem,
  });
  return (
    <form
      className="mt-2 flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        move.mutate();
      }}
    >
      <input
        aria-label={t("moveHint")}
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the person just asked for this field.
        autoFocus
        value={place}
        onChange={({ target }) => setPlace(target.value)}
      />
      <Button type="submit" asks="moveRepository" busy={move.isPending}>
        {t("moveAct")}
      </Button>
    </form>
  );
}

/** What its configuration declares: setup is among the scripts. */
function Declared({ id }: { readonly id: string }) {
  const { t } = useTranslation("settings");
  const { data } = useQuery(configQuery(id));
  if (data === undefined) return null;
  const { checks } = configuredOf(data);
  const hooks = data.find(({ key }) => key === "hooks")?.value;
  return (
    <dl className="facts mt-2">
      <dt>{t("checks")}</dt>
      <dd>{checks.length === 0 ? t("none") : checks.join(", ")}</dd>
      <dt>{t("hooks")}</dt>
      <dd>{t(hooks === "run" ? "hooksRun" : "hooksOff")}</dd>
    </dl>
  );
}
