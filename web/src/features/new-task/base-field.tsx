/** The base that the attempts begin from: any branch, tag or commit, how fresh it is, and a fetch. */

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { GitBranch } from "lucide-react";
import { answerOf, api } from "../../data/api.ts";
import { useWhyNot } from "../../data/may.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { useNow } from "../../ui/use-now.ts";
import { usePaused } from "../../ui/use-paused.ts";
import type { TaskForm } from "./form.ts";
import { Check, Labelled } from "./parts.tsx";
import { isStale, type Preview } from "./preview.ts";

interface BaseProps {
  readonly form: TaskForm;
  readonly isBare: boolean;
  /** What holds if the field is empty. */
  readonly otherwise: string | null;
  readonly preview: Preview | undefined;
  readonly onChange: (change: Partial<TaskForm>) => void;
}

export function BaseField(props: BaseProps) {
  const { t } = useTranslation("newTask");
  const { form, onChange, preview } = props;
  const sha = preview?.base?.sha.slice(0, 7) ?? null;
  const mayTakeTree = useWhyNot()("createTask", { from_worktree: true }) === null;
  return (
    <div className="min-w-0">
      <Labelled name={t("base")}>
        {(id) => (
          <span className="relative block">
            <GitBranch
              size={14}
              aria-hidden="true"
              className="absolute inset-y-0 left-2.5 my-auto text-ink-2"
            />
            <input
              id={id}
              list={`${id}-branches`}
              className="field pr-20! pl-8! font-semibold placeholder:font-normal"
              placeholder={preview?.base?.name ?? props.otherwise ?? t("baseDefault")}
              autoCapitalize="off"
              autoComplete="off"
              spellCheck={false}
              disabled={form.fromWorktree}
              value={form.fromWorktree ? "" : form.base}
              onChange={({ target }) => onChange({ base: target.value })}
            />
            <Branches id={`${id}-branches`} repository={form.repository} words={form.base} />
            {sha !== null && (
              <code className="absolute inset-y-0 right-2.5 flex items-center text-small text-ink-3">
                {sha}
              </code>
            )}
          </span>
        )}
      </Labelled>
      <span className="mt-1 flex flex-wrap items-center gap-x-4 text-fine text-ink-2">
        {!props.isBare && mayTakeTree && (
          <Check
            words={t("ownTree")}
            checked={form.fromWorktree}
            onChange={(fromWorktree) => onChange({ fromWorktree })}
          />
        )}
        <Check words={t("offline")} checked={form.offline} onChange={(offline) => onChange({ offline })} />
        <Freshness {...props} />
      </span>
    </div>
  );
}

function Branches(props: {
  readonly id: string;
  readonly repository: string | null;
  readonly words: string;
}) {
  const { t } = useTranslation("newTask");
  const { repository } = props;
  const query = usePaused(props.words.trim(), { key: props.words, ms: 150 });
  const { data } = useQuery({
    queryKey: ["branches", repository, query],
    queryFn: () => answerOf(api.branches(repository ?? "", { query })),
    enabled: repository !== null,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  return (
    <datalist id={props.id}>
      {data?.items.map(({ name, sha, tag }) => (
        <option key={`${tag} ${name}`} value={name}>
          {tag ? `${t("tag")} ${sha.slice(0, 7)}` : sha.slice(0, 7)}
        </option>
      ))}
    </datalist>
  );
}

/** When the base was fetched last, and a fetch; a stale one is coloured. */
function Freshness({ form, preview }: BaseProps) {
  const { t } = useTranslation("newTask");
  const { rest } = useFormat();
  const now = useNow();
  const client = useQueryClient();
  const fetchNow = useMutation({
    mutationFn: (repository: string) => answerOf(api.fetchRepository(repository)),
    onError: tellProblem,
    onSuccess: () => {
      tell({ title: t("fetchDone") });
      for (const key of ["preview", "branches", "files"]) void client.invalidateQueries({ queryKey: [key] });
    },
  });
  const { repository } = form;
  if (preview === undefined || repository === null || form.fromWorktree) return null;
  const at = preview.base?.fetched_at ?? null;
  return (
    <span className="ml-auto flex items-center gap-1.5">
      {preview.base !== null && (
        <span className={isStale(at, now) ? "text-needs-ink" : "text-ink-3"}>
          {at === null ? t("neverFetched") : t("fetched", { age: rest(now - Date.parse(at)) })}
        </span>
      )}
      <button
        type="button"
        aria-disabled={fetchNow.isPending}
        className="min-h-6 font-medium text-accent hover:underline pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        onClick={() => !fetchNow.isPending && fetchNow.mutate(repository)}
      >
        {t("fetch")}
        {fetchNow.isPending && "…"}
      </button>
    </span>
  );
}
