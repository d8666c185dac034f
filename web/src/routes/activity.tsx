/** Activity: every act on git and worktrees, and the way back. */
import { needsNames } from "@contract/words/actor-words.ts";
import { OPERATION_GROUPS } from "@contract/words/operation-group.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { repositoriesQuery } from "../data/queries.ts";
import { Details } from "../features/activity/details.tsx";
import { OperationActions } from "../features/activity/operation-actions.tsx";
import { OperationTable } from "../features/activity/operation-table.tsx";
import { undoneIn } from "../features/activity/operations.ts";
import { useOperations, useStepped, useUndo } from "../features/activity/queries.ts";
import { type Subject, useSubject } from "../features/activity/subject.tsx";
import { useOperationWords } from "../features/activity/use-operation-words.ts";
import { useKeys } from "../features/keys/keys.ts";
import { focusedRow, stepRow } from "../features/keys/walk-rows.ts";
import { Screen } from "../features/shell/screen.tsx";
import { useTranslation } from "../i18n/use-translation.tsx";
import { FilterField } from "../ui/fields/filter-field.tsx";
import { PanelHandle, usePanelWidths } from "../ui/panels/panel-handle.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { undoLast } from "../ui/toast.tsx";
import { usePaused } from "../ui/use-paused.ts";
import type { ActivitySearch } from "./search.ts";

/** Older pages are read when the end is this near. */
const NEAR_PX = 800;

/** Undefined takes a filter away. */
type ActivityChange = { readonly [Key in keyof ActivitySearch]?: ActivitySearch[Key] | undefined };

/** The width of the details, until a person moves their handle. */
const WIDTHS = { right: 320 };

export function ActivityRoute() {
  const { t } = useTranslation("activity");
  const search = useSearch({ from: "/activity" });
  const navigate = useNavigate({ from: "/activity" });
  const { subject = null, kind = null, repository = null, failed, q = "", operation: chosen = null } = search;
  const { kindsOf } = useOperationWords();
  const words = usePaused(q.trim(), { key: q, ms: 200 });
  const group = OPERATION_GROUPS.find((each) => each === kind) ?? null;
  const { older, operations: shown } = useOperations({
    subject,
    repository,
    failed: failed === "1",
    kind: group === null ? kind : null,
    group,
    undoable: search.undoable === "1",
    text: words === "" ? null : words,
    named: kindsOf(words).join(","),
  });
  const stepped = useStepped({ subject, repository });
  const undo = useUndo();
  const widths = usePanelWidths("activity", WIDTHS);
  const scroller = useRef<HTMLDivElement>(null);
  const undone = useMemo(() => undoneIn(shown), [shown]);
  const isNamed = useMemo(() => needsNames(shown.map(({ actor }) => actor)), [shown]);
  const set = (change: ActivityChange) => {
    const kept = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined);
    void navigate({ search: Object.fromEntries(kept) as ActivitySearch, replace: true });
  };
  const open = shown.find(({ id }) => id === chosen) ?? null;
  const more = useReadOlder(scroller, older, shown.length);
  useActivityKeys({ isOpen: open !== null, onOpen: (operation) => set({ operation }) });
  return (
    <Screen title={t("activity", { ns: "shell" })}>
      <Bar
        search={search}
        subject={shown.find((each) => each.subject.id === subject)?.subject ?? null}
        stepped={stepped}
        onChange={set}
        loaded={shown.length}
      />
      <div style={widths} className="relative flex min-h-0 flex-1">
        <div ref={scroller} onScroll={more} className="min-h-0 min-w-0 flex-1 overflow-auto">
          {older.error !== null && (
            <div className="p-4">
              <ProblemNote error={older.error} />
            </div>
          )}
          {shown.length > 0 && (
            <OperationTable
              operations={shown}
              undone={undone}
              isNamed={isNamed}
              chosen={chosen}
              scroller={scroller}
              onChoose={(operation) => set({ operation })}
              onUndo={(operation) => undo.mutate(operation)}
            />
          )}
          <End isReading={older.isFetching} isEmpty={shown.length === 0} isFiltered={isFiltered(search)} />
        </div>
        {open !== null && (
          <Details
            operation={open}
            isNamed={isNamed}
            onClose={() => set({ operation: undefined })}
            onShowOnly={(only) => set({ subject: only })}
          />
        )}
        {open !== null && (
          <PanelHandle
            screen="activity"
            side="right"
            first={WIDTHS.right}
            label={t("widthOf", { ns: "shell", panel: t("operation") })}
            className="max-lg:hidden"
          />
        )}
      </div>
      <OperationActions
        operations={shown}
        onOpen={(operation) => set({ operation })}
        onShowOnly={(only) => set({ subject: only })}
        onUndo={(operation) => undo.mutate(operation)}
      />
    </Screen>
  );
}

function isFiltered({ kind, repository, failed, undoable, q, subject }: ActivitySearch): boolean {
  return [kind, repository, failed, undoable, q, subject].some((each) => each !== undefined);
}

/** Reads on while the end is near, also if a filter left few rows. */
function useReadOlder(
  scroller: React.RefObject<HTMLElement | null>,
  older: ReturnType<typeof useOperations>["older"],
  shown: number,
): () => void {
  const { hasNextPage, isFetching, fetchNextPage } = older;
  const more = () => {
    const box = scroller.current;
    if (box === null || !hasNextPage || isFetching) return;
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX) void fetchNextPage();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows may still leave the end near.
  useEffect(more, [shown, hasNextPage, isFetching]);
  return more;
}

function End(props: {
  readonly isReading: boolean;
  readonly isEmpty: boolean;
  readonly isFiltered: boolean;
}) {
  const { t } = useTranslation("activity");
  if (props.isReading) return <p className="p-3.5 text-small text-ink-3">{t("loadMore")}</p>;
  if (!props.isEmpty) return null;
  return <p className="px-3.5 py-4 text-ink-2">{t(props.isFiltered ? "noMatch" : "empty")}</p>;
}

function Bar(props: {
  readonly search: ActivitySearch;
  /** The one that the list is about. */
  readonly subject: Subject | null;
  readonly stepped: number;
  readonly loaded: number;
  readonly onChange: (change: ActivityChange) => void;
}) {
  const { t } = useTranslation("activity");
  const { kind = "all" } = props.search;
  return (
    <div className="flex min-h-11 flex-none flex-wrap items-center gap-2.5 border-b border-line px-3.5 py-1.5 whitespace-nowrap [&>*]:flex-none">
      <Segmented
        label={t("group")}
        value={kind}
        options={(["all", ...OPERATION_GROUPS] as const).map((value) => ({
          value,
          words:
            value === "stepped" && props.stepped > 0 ? (
              <>
                {t(value)} <span className="chip family-needs tabular-nums">{props.stepped}</span>
              </>
            ) : (
              t(value)
            ),
        }))}
        onChange={(value) => props.onChange({ kind: value === "all" ? undefined : value })}
      />
      {props.subject !== null && (
        <OnlySubject of={props.subject} onClear={() => props.onChange({ subject: undefined })} />
      )}
      <Filters search={props.search} onChange={props.onChange} />
      <span className="ml-auto text-small whitespace-nowrap text-ink-3 tabular-nums max-md:hidden">
        {t("loaded", { count: props.loaded })}
      </span>
    </div>
  );
}

function Filters(props: {
  readonly search: ActivitySearch;
  readonly onChange: (change: ActivityChange) => void;
}) {
  const { t } = useTranslation("activity");
  const { t: f } = useTranslation("fleet");
  const { data } = useQuery(repositoriesQuery);
  const { search, onChange } = props;
  return (
    <>
      <select
        aria-label={f("colRepository")}
        className="h-7 pointer-coarse:h-11 max-w-44 rounded-control bg-transparent text-small text-ink-2"
        value={search.repository ?? ""}
        onChange={({ target }) => onChange({ repository: target.value || undefined })}
      >
        <option value="">{f("allRepositories")}</option>
        {data?.items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <label className="tick text-small whitespace-nowrap text-ink-2">
        <input
          type="checkbox"
          checked={search.failed === "1"}
          onChange={({ target }) => onChange({ failed: target.checked ? "1" : undefined })}
        />
        {t("onlyFailed")}
      </label>
      <label className="tick text-small whitespace-nowrap text-ink-2">
        <input
          type="checkbox"
          checked={search.undoable === "1"}
          onChange={({ target }) => onChange({ undoable: target.checked ? "1" : undefined })}
        />
        {t("onlyUndoable")}
      </label>
      <FilterField
        label={f("filter")}
        words={search.q ?? ""}
        onWords={(words) => onChange({ q: words || undefined })}
        className="w-36"
      />
    </>
  );
}

function OnlySubject({ of, onClear }: { readonly of: Subject; readonly onClear: () => void }) {
  const { t } = useTranslation("activity");
  const name = useSubject(of)?.name ?? of.id.slice(0, 8);
  return (
    <button type="button" className="chip" onClick={onClear}>
      <bdi className="max-w-60 truncate">{t("onlyThis", { name })}</bdi>
      <X size={12} aria-hidden="true" />
    </button>
  );
}

function useActivityKeys(options: {
  readonly isOpen: boolean;
  readonly onOpen: (id: string | undefined) => void;
}): void {
  const { t } = useTranslation("keys");
  const { t: a } = useTranslation("activity");
  const step = (by: 1 | -1) => () => {
    const row = stepRow(by);
    if (row !== null && options.isOpen) options.onOpen(row.dataset.row);
  };
  useKeys([
    {
      spec: "/",
      words: t("filter"),
      run: () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
    },
    { spec: "j", words: t("move"), run: step(1), inBar: true },
    { spec: "k", words: t("move"), run: step(-1), inBar: true },
    {
      spec: "enter",
      words: a("keyPanel"),
      inBar: true,
      run: () => options.onOpen(focusedRow()?.dataset.row),
    },
    {
      spec: "\\",
      words: a("keyPanel"),
      run: () => options.onOpen(options.isOpen ? undefined : focusedRow()?.dataset.row),
    },
    {
      spec: "z",
      words: a("keyUndo"),
      inBar: true,
      run: () => {
        const button = focusedRow()?.querySelector<HTMLButtonElement>("[data-act=undo]");
        if (button) button.click();
        else undoLast();
      },
    },
    ...(options.isOpen
      ? [{ spec: "escape" as const, words: t("back"), inBar: true, run: () => options.onOpen(undefined) }]
      : []),
  ]);
}
