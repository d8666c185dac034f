/** The same attempts as a table in groups, of which only the rows in sight exist. */
import type { RunDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { COLUMNS, type Column } from "@contract/words/present-card.ts";
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { NUMBER_KEYS } from "../../data/keys/key-table.ts";
import { useLastAction } from "../../data/last-action.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { AgentMark } from "../../ui/agent-mark.tsx";
import { Letter } from "../../ui/letter.tsx";
import { StateSign } from "../../ui/state-sign.tsx";
import { useClock } from "../../ui/use-now.ts";
import { type AttemptCard, boardOf } from "../attempts/cards.ts";
import { Checks, Cost, Lines } from "../attempts/numbers.tsx";
import { StateLine } from "../attempts/state-line.tsx";
import { useKeys } from "../keys/keys.ts";
import { TeamPart } from "../workers/team-part.tsx";
import { indexOfLeft, useReturnFocus } from "./came-from.ts";
import { COLUMN_SIGNS } from "./column-signs.ts";
import { useSelection } from "./selection.tsx";

const ROW = 27;
/** What needs a person comes first, what is over last. */
const ORDER: readonly Column[] = ["needs", "review", "ready", "working", "queued", "done"];

type Line =
  | { readonly kind: "group"; readonly column: Column; readonly count: number }
  | { readonly kind: "row"; readonly of: AttemptCard };

export function FleetTable({ cards }: { readonly cards: readonly AttemptCard[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const lines = linesOf(cards);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const shown = virtual.getVirtualItems();
  useReturnFocus(scroller);
  const atFirst = useRef(lines);
  useEffect(() => {
    const at = indexOfLeft(
      atFirst.current.map((line) => ({ attempts: line.kind === "row" ? [line.of.attempt.id] : [] })),
    );
    if (at >= 0) virtual.scrollToIndex(at, { align: "center" });
  }, [virtual]);
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  const first = lines.findIndex(({ kind }) => kind === "row");
  useGroupKeys(lines, (index) => {
    virtual.scrollToIndex(index, { align: "start" });
    requestAnimationFrame(() => {
      const row = scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${index + 3}"]`);
      row?.focus({ preventScroll: true });
    });
  });
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <table className="table table-dense" aria-rowcount={lines.length + 1}>
        <Head />
        <tbody>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map(({ index }) => {
            const line = lines[index];
            if (line === undefined) return null;
            return line.kind === "group" ? (
              <GroupRow key={line.column} {...line} index={index} />
            ) : (
              <TableRow key={line.of.attempt.id} of={line.of} index={index} isTabStop={index === first} />
            );
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

/** In the order of the board. */
function linesOf(cards: readonly AttemptCard[]): readonly Line[] {
  const board = boardOf(cards);
  return ORDER.flatMap((column): readonly Line[] => {
    const inside = board[column].flatMap((group) => group.cards);
    const rows = inside.map((of) => ({ kind: "row", of }) as const);
    return rows.length === 0 ? [] : [{ kind: "group", column, count: rows.length }, ...rows];
  });
}

/** What a narrow window leaves to the page of the attempt. */
const WIDE: ReadonlySet<string> = new Set(["now", "repository"]);

function Head() {
  const { t } = useTranslation("table");
  const { t: f } = useTranslation("fleet");
  const names = ["state", "task", "now", "repository", "agent"] as const;
  const numbers = ["lines", "checks", "cost", "time"] as const;
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col" className={WIDE.has(name) ? "max-lg:hidden" : ""}>
            {name === "repository" ? f("colRepository") : t(name)}
          </th>
        ))}
        {numbers.map((name) => (
          <th
            key={name}
            scope="col"
            aria-sort={name === "time" ? "other" : undefined}
            className="text-right!"
          >
            {t(name)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function GroupRow(props: { readonly column: Column; readonly count: number; readonly index: number }) {
  const { t } = useTranslation("fleet");
  const { sign, family } = COLUMN_SIGNS[props.column];
  return (
    <tr aria-rowindex={props.index + 2} style={{ height: ROW }} className="bg-sunken">
      <th colSpan={9} scope="colgroup" className="static! bg-sunken! py-1! text-small! text-ink!">
        <span className={`family-${family} flex items-center gap-1.5`}>
          <StateSign sign={sign} isStill /> {t(props.column)}
          <span className="font-normal text-ink-3">{props.count}</span>
        </span>
      </th>
    </tr>
  );
}

function TableRow(props: { readonly of: AttemptCard; readonly index: number; readonly isTabStop: boolean }) {
  const { task, attempt, letter, card } = props.of;
  const { rest, running } = useFormat();
  const { chosen, toggle } = useSelection();
  const isChosen = chosen.has(attempt.id);
  const since = Date.parse(card.since);
  const time = useClock((now) => (card.column === "working" ? running(now - since) : rest(now - since)));
  return (
    <tr
      data-card={attempt.id}
      data-attempts={attempt.id}
      data-task={task.id}
      aria-selected={isChosen}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) toggle([attempt.id]);
      }}
      tabIndex={props.isTabStop ? 0 : -1}
      aria-rowindex={props.index + 2}
      style={{ height: ROW }}
      className="hover:bg-hover focus-visible:bg-accent-soft aria-selected:bg-accent-soft"
    >
      <td className="max-w-52 max-xl:max-w-40 max-lg:max-w-32">
        <StateLine of={props.of} />
      </td>
      <td className="max-w-80 max-xl:max-w-56 max-lg:max-w-40">
        <span className="flex items-center gap-2 font-medium">
          {task.attempts.length > 1 && <Letter letter={letter} />}
          <Link
            to="/attempts/$id"
            params={{ id: attempt.id }}
            tabIndex={-1}
            className="min-w-0 hover:underline"
          >
            <bdi className="block truncate">{cleanLine(task.title)}</bdi>
          </Link>
        </span>
      </td>
      <td className="max-w-64 truncate text-ink-2 max-xl:max-w-36 max-lg:hidden">
        <Now of={props.of} />
      </td>
      <td className="max-w-40 truncate text-ink-2 max-xl:max-w-24 max-lg:hidden" title={task.repository.name}>
        {task.repository.name}
      </td>
      <td className="max-w-44 truncate max-xl:max-w-32">
        <AgentMark executor={attempt.executor} agent={attempt.agent} model={attempt.model} />{" "}
        <TeamPart of={attempt} />
      </td>
      <td className="or-dash text-right">
        <Lines attempt={attempt} />
      </td>
      <td>
        <span className="or-dash flex justify-end">
          <Checks attempt={attempt} />
        </span>
      </td>
      <td className="or-dash text-right">
        <Cost attempt={attempt} />
      </td>
      <td className="text-right whitespace-nowrap text-ink-2 tabular-nums">{time}</td>
    </tr>
  );
}

/** The live action, the question, the failure or the last words: whatever the state is about. */
function Now({ of: { card } }: { readonly of: AttemptCard }) {
  const { run, column } = card;
  if (run === null || column === "done") return null;
  if (column === "working") return <LiveLine of={run} />;
  const words = run.question?.words ?? run.failure?.message ?? run.summary ?? "";
  return <bdi>{cleanLine(words)}</bdi>;
}

function LiveLine({ of: run }: { readonly of: RunDocument }) {
  const action = useLastAction(run);
  return action === null ? null : <code>{cleanLine(action.text)}</code>;
}

/** To the group of a column by its number, and to the next group and the one before. `go` gets the index of its heading. */
function useGroupKeys(lines: readonly Line[], go: (heading: number) => void): void {
  const { t } = useTranslation("keys");
  const headings = lines.flatMap((line, index) => (line.kind === "group" ? [index] : []));
  const step = (by: 1 | -1) => () => {
    const row = document.activeElement?.closest("tr")?.getAttribute("aria-rowindex");
    const at = headings.findLastIndex((heading) => heading < Number(row ?? 0) - 2);
    const next = headings[at === -1 ? 0 : at + by];
    if (next !== undefined) go(next);
  };
  const toColumn = (column: Column | undefined) => () => {
    const heading = lines.findIndex((line) => line.kind === "group" && line.column === column);
    if (heading >= 0) go(heading);
  };
  useKeys([
    { spec: "h", words: t("column"), run: step(-1), inBar: true },
    { spec: "l", words: t("column"), run: step(1), inBar: true },
    ...NUMBER_KEYS.map((spec, index) => ({ spec, words: t("column"), run: toColumn(COLUMNS[index]) })),
  ]);
}
