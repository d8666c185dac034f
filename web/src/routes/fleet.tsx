/** Fleet, the home: what every attempt is doing, and what needs a person first. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Columns2, Funnel, List, Plus } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { boardQuery, repositoriesQuery } from "../data/queries.ts";
import { type AttemptCard, boardOf } from "../features/attempts/cards.ts";
import { useCards } from "../features/attempts/use-silence.ts";
import { AwayNote } from "../features/away/away-note.tsx";
import { Board } from "../features/fleet/board/board.tsx";
import { useHeldCard } from "../features/fleet/board/use-held-card.ts";
import { CapacityStrip } from "../features/fleet/capacity-strip.tsx";
import { CardActions } from "../features/fleet/card-actions.tsx";
import { useFleetKeys, useNamedColumn } from "../features/fleet/fleet-keys.ts";
import { SelectionProvider, useSelection } from "../features/fleet/selection.tsx";
import { useWanted } from "../features/fleet/use-wanted.ts";
import { Screen } from "../features/shell/screen.tsx";
import { loadWords } from "../i18n/i18n.ts";
import { useTranslation } from "../i18n/use-translation.tsx";
import { Button } from "../ui/button.tsx";
import { FilterField } from "../ui/fields/filter-field.tsx";
import { KeyCap } from "../ui/key-cap.tsx";
import { part } from "../ui/loaded/part.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";
import { Segmented } from "../ui/segmented.tsx";
import type { FleetSearch } from "./search.ts";

const FleetTable = part(async () => {
  const [table] = await Promise.all([import("../features/fleet/fleet-table.tsx"), loadWords("engine")]);
  return table.FleetTable;
});
const DemoEnd = part(async () => (await import("../features/fleet/demo-end.tsx")).DemoEnd);
const EmptyFleet = part(async () => (await import("../features/fleet/empty-fleet.tsx")).EmptyFleet);

/** Only once something is selected. */
const SelectionBar = part(async () => {
  const [bar] = await Promise.all([import("../features/fleet/selection-bar.tsx"), loadWords("engine")]);
  return bar.default;
});

export function FleetRoute() {
  const search = useSearch({ from: "/" });
  const { data: repositories } = useQuery(repositoriesQuery);
  const known = useCards();
  const all = useMemo(() => onBoard(known, repositories?.items), [known, repositories]);
  const cards = useWanted(all, search);
  return (
    <SelectionProvider cards={cards}>
      <FleetScreen all={all} cards={cards} />
    </SelectionProvider>
  );
}

function FleetScreen({ all, cards }: Readonly<Record<"all" | "cards", readonly AttemptCard[]>>) {
  const { t } = useTranslation("fleet");
  const search = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  const { data, error } = useQuery(boardQuery);
  const { data: repositories } = useQuery(repositoriesQuery);
  const selection = useSelection();
  const isEmpty = data !== undefined && all.length === 0;
  const board = useHeldCard(useMemo(() => boardOf(cards), [cards]));
  const hasCards = cards.length > 0 || board.isHeld;
  const set = (change: Partial<FleetSearch>) => navigate({ search: { ...search, ...change }, replace: true });
  const toggleView = () => {
    const { view: _, ...rest } = search;
    void navigate({ search: search.view === "table" ? rest : { ...rest, view: "table" }, replace: true });
  };
  useFleetKeys({ cards, selection, isTable: search.view === "table", onToggleView: toggleView });
  useNamedColumn(search.column, cards.length > 0);
  return (
    <Screen title={t("title")}>
      <AwayNote cards={all} />
      {/* A server without a task has one thing to offer. */}
      {!isEmpty && (
        <>
          <FleetBar
            all={all}
            known={repositories?.items.length ?? 0}
            search={search}
            onChange={set}
            onToggleView={toggleView}
          />
          <CapacityStrip />
        </>
      )}
      {isDemoOver(all, repositories?.items) && <DemoEnd />}
      {error !== null && data === undefined && (
        <div className="p-4">
          <ProblemNote error={error} />
        </div>
      )}
      {data === undefined && error === null && (
        <p className="m-auto p-6 text-ink-3">{t("loading", { ns: "shell" })}</p>
      )}
      {isEmpty && <EmptyFleet repositories={repositories?.items ?? []} />}
      {all.length > 0 && !hasCards && (
        <NothingMatches
          filter={search.q ?? ""}
          onClear={() => void navigate({ search: viewOnly(search), replace: true })}
        />
      )}
      {hasCards &&
        (search.view === "table" ? (
          <FleetTable cards={cards} />
        ) : (
          <Board
            board={board.shown}
            holding={board.holding}
            shown={search.column ?? (board.shown.needs.length > 0 ? "needs" : "working")}
            onShow={(column) => void set({ column })}
          />
        ))}
      <CardActions cards={cards} />
      {selection.chosen.size > 0 && <SelectionBar />}
    </Screen>
  );
}

function NothingMatches({ filter, onClear }: { readonly filter: string; readonly onClear: () => void }) {
  const { t } = useTranslation("fleet");
  return (
    <p className="m-auto flex items-center gap-3 p-6 text-ink-2">
      {t("nothingMatches", { filter })}
      <Button onClick={onClear}>{t("clearFilter")}</Button>
    </p>
  );
}

const viewOnly = ({ view }: FleetSearch): FleetSearch => (view === undefined ? {} : { view });

function FleetBar(props: {
  readonly all: readonly AttemptCard[];
  /** How many repositories there are, also without attempts. */
  readonly known: number;
  readonly search: FleetSearch;
  readonly onChange: (change: Partial<FleetSearch>) => void;
  readonly onToggleView: () => void;
}) {
  const { t } = useTranslation("fleet");
  const { all, search, onChange } = props;
  const repositories = new Map(all.map(({ task }) => [task.repository.id, task.repository.name]));
  return (
    <div
      className={`flex min-h-11 items-center gap-2.5 border-b border-line px-3 ${repositories.size > 1 ? "" : "max-sm:hidden"}`}
    >
      <span className="flex max-sm:hidden">
        <Segmented
          label={t("title")}
          value={search.view ?? "board"}
          options={[
            { value: "board", words: <ViewWords icon={<Columns2 size={14} />} words={t("board")} /> },
            { value: "table", words: <ViewWords icon={<List size={14} />} words={t("table")} /> },
          ]}
          onChange={(value) => value !== (search.view ?? "board") && props.onToggleView()}
        />
      </span>
      <select
        aria-label={t("colRepository")}
        className="h-7 pointer-coarse:h-11 max-w-44 rounded-control bg-transparent text-small text-ink-2"
        value={search.repository ?? ""}
        onChange={({ target }) => onChange({ repository: target.value || (undefined as never) })}
      >
        <option value="">{t("allRepositories")}</option>
        {[...repositories].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <span className="flex items-center gap-1.5 text-ink-2 max-sm:hidden">
        <Funnel size={14} aria-hidden="true" />
        <FilterField
          label={t("filter")}
          words={search.q ?? ""}
          onWords={(words) => onChange({ q: words || (undefined as never) })}
        />
      </span>
      <span className="ml-auto text-small whitespace-nowrap text-ink-3 max-lg:hidden">
        {t("counts", {
          attempts: t("attempts", { count: all.length }),
          repositories: t("repositories", { count: props.known }),
        })}
      </span>
      <Link to="/tasks/new" className="button max-lg:ml-auto max-sm:hidden" data-kind="primary">
        <Plus size={16} aria-hidden="true" />
        {t("newTask", { ns: "shell" })}
        <KeyCap spec="n" />
      </Link>
    </div>
  );
}

function ViewWords({ icon, words }: { readonly icon: ReactNode; readonly words: string }) {
  return (
    <>
      <span aria-hidden="true">{icon}</span>
      {words}
    </>
  );
}

/** An attempt of the demo is merged. */
function isDemoOver(
  cards: readonly AttemptCard[],
  listed: readonly { readonly id: string; readonly demo: boolean }[] = [],
): boolean {
  const demos = new Set(listed.filter(({ demo }) => demo).map(({ id }) => id));
  return cards.some(({ task, attempt }) => demos.has(task.repository.id) && attempt.state === "merged");
}

/** What is over in a repository that was taken out of the list is history: Activity and `list --all` have it. */
function onBoard(cards: readonly AttemptCard[], listed: readonly { readonly id: string }[] | undefined) {
  const ids = listed && new Set(listed.map(({ id }) => id));
  return cards.filter(({ card, task }) => card.column !== "done" || ids?.has(task.repository.id) !== false);
}
