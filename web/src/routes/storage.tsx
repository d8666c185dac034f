/** Storage: what lies on the disk, and why it may or may not go. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { RefreshCw, Trash2 } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { answerOf, api } from "../data/api.ts";
import { boardQuery } from "../data/queries.ts";
import { cardsOf } from "../features/attempts/cards.ts";
import { matches } from "../features/attempts/matches.ts";
import { useKeys } from "../features/keys/keys.ts";
import { Screen } from "../features/shell/screen.tsx";
import { useMoveToTrash } from "../features/storage/acts.ts";
import { LogTable } from "../features/storage/log-table.tsx";
import { MoveBar } from "../features/storage/move-bar.tsx";
import { Overview } from "../features/storage/overview.tsx";
import { logsQuery, storageQuery, trashQuery } from "../features/storage/queries.ts";
import { RowActions } from "../features/storage/row-actions.tsx";
import { bytesOf, rowsOf, type WorktreeRow } from "../features/storage/rows.ts";
import { TrashTable } from "../features/storage/trash-table.tsx";
import {
  pressRestore,
  type Selection,
  useSelection,
  useStorageKeys,
} from "../features/storage/use-selection.ts";
import { WorktreeTable } from "../features/storage/worktree-table.tsx";
import { useFormat } from "../i18n/format.ts";
import { useTranslation } from "../i18n/use-translation.tsx";
import { Button } from "../ui/button.tsx";
import { FilterField } from "../ui/fields/filter-field.tsx";
import { dialogPart } from "../ui/loaded/part.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";
import { tellProblem, undoLast } from "../ui/toast.tsx";
import { useNow } from "../ui/use-now.ts";

const EmptyDialog = dialogPart(
  async () => (await import("../features/storage/empty-dialog.tsx")).EmptyDialog,
);

type StorageData = NonNullable<ReturnType<typeof useStorage>["data"]>;

const useStorage = () => useQuery(storageQuery);

export function StorageRoute() {
  const { t } = useTranslation("storage");
  const { q = "" } = useSearch({ from: "/storage" });
  const worktrees = useStorage();
  const { data: trash = [] } = useQuery(trashQuery);
  const { data: board } = useQuery(boardQuery);
  const rows = useMemo(
    () => (worktrees.data === undefined ? [] : rowsOf(worktrees.data.items, cardsOf(board ?? []))),
    [worktrees.data, board],
  );
  const said = (row: WorktreeRow) => `${textOf(row)} ${flagsOf(row).map((flag) => t(flag))}`;
  const shown = rows.filter((row) => q === "" || matches(said(row), q));
  // What a filter hides is not moved away with what it shows.
  const selection = useSelection(shown);
  const chosen = rows.filter(({ id }) => selection.chosen.has(id));
  const move = useMoveToTrash(selection.remove);
  const act = () => {
    if (chosen.length > 0 && !move.isPending) move.mutate(chosen.map(({ id }) => id));
  };
  const [isEmptying, setEmptying] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  useStorageKeys(selection, act);
  useRestoreKey();
  return (
    <Screen title={t("storage", { ns: "shell" })} acts={<ScanAgain />}>
      <Overview parts={useParts(worktrees.data, trash)} />
      <div ref={scroller} className="relative min-h-0 flex-1 overflow-auto">
        {worktrees.error !== null && (
          <div className="p-4">
            <ProblemNote error={worktrees.error} />
          </div>
        )}
        <Worktrees rows={rows} shown={shown} selection={selection} isLoading={worktrees.isLoading}>
          <WorktreeTable
            rows={shown}
            chosen={selection.chosen}
            onToggle={selection.toggle}
            scroller={scroller}
          />
        </Worktrees>
        <Heading
          words={t("trash")}
          count={trash.length}
          bytes={bytesOf(trash)}
          acts={
            trash.length > 0 && (
              <Button
                kind="danger"
                size="small"
                asks="emptyTrash"
                icon={<Trash2 size={13} aria-hidden="true" />}
                onClick={() => setEmptying(true)}
              >
                {t("emptyTrash")}
              </Button>
            )
          }
        />
        {trash.length === 0 ? (
          <p className="px-3.5 pb-4 text-ink-3">{t("trashEmpty")}</p>
        ) : (
          <TrashTable entries={trash} scroller={scroller} />
        )}
        <Logs />
      </div>
      <RowActions rows={rows} selection={selection} onMove={(ids) => move.mutate(ids)} />
      <MoveBar chosen={chosen} busy={move.isPending} onMove={act} />
      {isEmptying && <EmptyDialog onClose={() => setEmptying(false)} />}
    </Screen>
  );
}

function Logs() {
  const { t } = useTranslation("storage");
  const { data } = useInfiniteQuery(logsQuery);
  const { data: storage } = useStorage();
  const format = useFormat();
  const { logs, sent_logs: sent } = storage?.totals ?? { logs: null, sent_logs: null };
  return (
    <>
      <Heading
        words={t("logs")}
        count={data?.pages[0]?.count ?? 0}
        bytes={(logs ?? 0) + (sent ?? 0)}
        acts={
          sent === null || sent === 0 ? null : (
            <span className="text-small text-ink-3 tabular-nums">
              {t("logsBoth", { disk: format.bytes(logs ?? 0), sent: format.bytes(sent) })}
            </span>
          )
        }
      />
      <LogTable />
    </>
  );
}

/** On a row of the trash `z` restores; elsewhere it takes back what the newest toast told. */
function useRestoreKey(): void {
  const { t } = useTranslation("storage");
  useKeys([
    { spec: "z", words: t("keyRestore"), run: () => void (pressRestore() || undoLast()), inBar: true },
  ]);
}

function Worktrees(props: {
  readonly rows: readonly WorktreeRow[];
  readonly shown: readonly WorktreeRow[];
  readonly selection: Selection;
  readonly isLoading: boolean;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation("storage");
  const { q = "" } = useSearch({ from: "/storage" });
  const { rows, selection } = props;
  return (
    <>
      <Heading
        words={t("worktrees")}
        count={rows.length}
        bytes={bytesOf(rows.map(({ item }) => item))}
        acts={
          <>
            {selection.chosen.size > 0 && (
              <span className="text-small text-ink-3">{t("selected", { count: selection.chosen.size })}</span>
            )}
            <Filter />
            <Button
              kind="quiet"
              size="small"
              keySpec="A"
              off={props.isLoading ? t("scanning") : null}
              onClick={selection.chooseAll}
            >
              {t("selectAll")}
            </Button>
          </>
        }
      />
      {props.isLoading ? (
        <p className="px-3.5 pb-4 text-ink-3">{t("scanning")}</p>
      ) : props.shown.length > 0 ? (
        props.children
      ) : (
        <p className="px-3.5 pb-4 text-ink-3">
          {rows.length === 0 ? t("noWorktrees") : t("noMatch", { filter: q })}
        </p>
      )}
    </>
  );
}

function Heading(props: {
  readonly words: string;
  readonly count: number;
  readonly bytes: number;
  readonly acts: ReactNode;
}) {
  const { bytes } = useFormat();
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2.5 px-3.5 pt-1">
      <h2 className="text-body">{props.words}</h2>
      <span className="text-small text-ink-3 tabular-nums">
        {props.count} · {bytes(props.bytes)}
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-2">{props.acts}</span>
    </div>
  );
}

function Filter() {
  const { t } = useTranslation("fleet");
  const { q = "" } = useSearch({ from: "/storage" });
  const navigate = useNavigate({ from: "/storage" });
  return (
    <FilterField
      label={t("filter")}
      words={q}
      onWords={(words) => void navigate({ search: words === "" ? {} : { q: words }, replace: true })}
    />
  );
}

function ScanAgain() {
  const { t } = useTranslation("storage");
  const { rest } = useFormat();
  const now = useNow();
  const { data } = useStorage();
  const client = useQueryClient();
  const scan = useMutation({
    mutationFn: () => answerOf(api.scanStorage()),
    onSuccess: () => client.invalidateQueries({ queryKey: ["storage"] }),
    onError: tellProblem,
  });
  return (
    <>
      {data?.scanned_at && (
        <span className="text-small whitespace-nowrap text-ink-3 max-sm:hidden">
          {t("scannedAgo", { age: rest(now - Date.parse(data.scanned_at)) })}
        </span>
      )}
      <Button
        kind="quiet"
        size="small"
        icon={<RefreshCw size={14} aria-hidden="true" />}
        busy={scan.isPending || data?.scanning === true}
        onClick={() => scan.mutate()}
      >
        <span className="max-sm:sr-only">{t("scan")}</span>
      </Button>
    </>
  );
}

/** What takes room, the largest kinds first; what was not measured is left out. */
function useParts(data: StorageData | undefined, trash: readonly { readonly bytes: number | null }[]) {
  const { t } = useTranslation("storage");
  if (data === undefined) return [];
  const { totals } = data;
  const parts = [
    { words: t("worktrees"), bytes: totals.worktrees },
    { words: t("trash"), bytes: totals.trash ?? bytesOf(trash) },
    { words: t("logs"), bytes: totals.logs },
    { words: t("database"), bytes: totals.database },
    { words: t("clones"), bytes: totals.clones },
  ];
  return parts.flatMap(({ words, bytes }) => (bytes === null ? [] : [{ words, bytes }]));
}

/** What its chips and its verdict say, in whatever language. */
const flagsOf = ({ item: { dirty, unpushed, verdict } }: WorktreeRow) =>
  [
    dirty === true ? ("dirty" as const) : null,
    unpushed === true ? ("unpushed" as const) : null,
    verdict ?? ("notExamined" as const),
  ].filter((flag) => flag !== null);

function textOf({ name, item }: WorktreeRow): string {
  return `${name} ${item.repository?.name ?? ""} ${item.reason ?? ""} ${item.path ?? ""} ${item.agent ?? ""}`;
}
