/** Holds the form, and reads what it chooses from. */
import { joinedByAddress } from "@contract/same-repository.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { problemOf } from "../../data/api.ts";
import { usePreferences } from "../../data/preferences.ts";
import { agentsQuery, boardQuery, repositoriesQuery } from "../../data/queries.ts";
import { scriptsQuery, untrustedFor } from "../scripts/scripts.ts";
import {
  attemptsOf,
  EMPTY_FORM,
  inRepository,
  isEmpty,
  presetsFor,
  requestOf,
  type TaskForm,
  withOwnPresets,
} from "./form.ts";
import { canBegin, configQuery, configuredOf } from "./queries.ts";
import { useDraft } from "./use-draft.ts";
import { usePreview } from "./use-preview.ts";

type ChangeForm = (change: Partial<TaskForm> | ((form: TaskForm) => TaskForm)) => void;

/** `wanted` is the repository that the address names. */
export function useTaskForm(wanted: string | null) {
  const [held, setForm] = useState<TaskForm>(EMPTY_FORM);
  const change: ChangeForm = useCallback(
    (given) => setForm((now) => (typeof given === "function" ? given(now) : { ...now, ...given })),
    [],
  );
  // What is written already stays: the draft came late.
  const takeDraft = useCallback(
    (draft: TaskForm) =>
      setForm((now) => (isEmpty(now) ? inRepository(draft, now.repository ?? wanted) : now)),
    [wanted],
  );
  const draft = useDraft(held, takeDraft);
  const { data: known } = useQuery(repositoriesQuery);
  const { data: board } = useQuery(boardQuery);
  const repositories = known?.items ?? [];
  const here = repositories.find(({ worker }) => worker === null) ?? repositories.find(canBegin) ?? null;
  const isOpen = (id: string | null) => repositories.some((each) => each.id === id && canBegin(each));
  const first =
    (isOpen(held.repository) ? held.repository : null) ??
    wanted ??
    board?.find((task) => isOpen(task.repository.id))?.repository.id ??
    here?.id ??
    null;
  // What another worker has too is chosen as the one that stands in the list.
  const joined = joinedByAddress(repositories);
  const repository = joined.find(({ same }) => same.some(({ id }) => id === first))?.repository ?? here;
  const form = useMemo(() => ({ ...held, repository: repository?.id ?? null }), [held, repository]);
  const named = repository?.id ?? null;
  const { data: states } = useQuery({ ...agentsQuery(named), placeholderData: keepPreviousData });
  // Those that can run come first.
  const agents = useMemo(
    () => (states?.items ?? []).toSorted((one, other) => Number(other.ready) - Number(one.ready)),
    [states],
  );
  const { data: config } = useQuery({ ...configQuery(named), enabled: named !== null });
  const { data: scripts = [] } = useQuery({ ...scriptsQuery(named), enabled: named !== null });
  const configured = useMemo(() => (config === undefined ? null : configuredOf(config)), [config]);
  const { presets: kept } = usePreferences();
  const presets = useMemo(() => {
    const ready = presetsFor(agents.filter((each) => each.ready).map(({ id }) => id));
    return withOwnPresets(
      kept,
      ready,
      agents.map(({ id }) => id),
    );
  }, [agents, kept]);
  const { data: preview, error } = usePreview(form);
  const chosen = Object.keys(form.agents).filter((id) => (form.agents[id]?.count ?? 0) > 0);
  return {
    form,
    change,
    repositories,
    isKnown: known !== undefined,
    repository,
    agents,
    configured,
    presets,
    preview,
    /** Why nothing can be said of what will happen, such as a base that no branch can be called. */
    refusal: error === null ? null : problemOf(error).message,
    draft,
    scripts,
    untrusted: untrustedFor(scripts, chosen),
    asked: useMemo(() => requestOf(form), [form]),
    count: attemptsOf(form),
  };
}

export type TaskFormState = ReturnType<typeof useTaskForm>;
