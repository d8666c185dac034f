/** Compare: the attempts of a task side by side, and the choice with its reason. */
import { cleanLine } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { taskQuery } from "../data/queries.ts";
import { columnsOf } from "../features/compare/columns.ts";
import type { CompareSearch } from "../features/compare/compare-search.ts";
import { CompareView } from "../features/compare/compare-view.tsx";
import { comparisonQuery } from "../features/compare/queries.ts";
import { PathTo, Screen } from "../features/shell/screen.tsx";
import { useTranslation } from "../i18n/use-translation.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";
import { useShown } from "../ui/use-shown.ts";

export function CompareRoute() {
  const { t } = useTranslation("compare");
  const { id } = useParams({ from: "/tasks/$id" });
  const search = useSearch({ from: "/tasks/$id" });
  const navigate = useNavigate({ from: "/tasks/$id" });
  const hideNames = search.names === "hidden";
  const task = useQuery(taskQuery(id));
  const comparison = useQuery({
    ...comparisonQuery(id, hideNames),
    placeholderData: (before) => (before?.task.id === id && !hideNames ? before : undefined),
  });
  const columns = useMemo(
    () =>
      task.data === undefined || comparison.data === undefined
        ? null
        : columnsOf(comparison.data, task.data, { hideNames }),
    [task.data, comparison.data, hideNames],
  );
  const isShown = useShown(id);
  const set = (change: { readonly [Key in keyof CompareSearch]?: CompareSearch[Key] | undefined }) => {
    // An answer may come when the person is elsewhere.
    if (!isShown()) return;
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined);
    void navigate({ search: Object.fromEntries(next) as CompareSearch, replace: true });
  };
  const error = task.error ?? comparison.error;
  if (task.data === undefined || columns === null || comparison.data === undefined)
    return (
      <Screen title={t("compare")}>
        <div className="p-4">
          {error === null ? <p className="text-ink-3">{t("loading")}</p> : <ProblemNote error={error} />}
        </div>
      </Screen>
    );
  const { task: head } = task.data;
  const crumbs = <PathTo repository={head.repository} />;
  return (
    <CompareView
      key={id}
      title={cleanLine(head.title)}
      crumbs={crumbs}
      document={task.data}
      comparison={comparison.data}
      columns={columns}
      search={search}
      onSearch={set}
    />
  );
}
