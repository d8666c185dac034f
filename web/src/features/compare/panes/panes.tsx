/** The patches of one file, a pane for each attempt, lined up by the base so that they scroll together. */
import "../../diff/diff.css";
import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type RefObject, useMemo, useRef } from "react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Letter } from "../../../ui/letter.tsx";
import { CodeText } from "../../diff/code/code-text.tsx";
import { type PatchColours, useColours } from "../../diff/code/highlight.ts";
import type { FilePatch } from "../../diff/patch/read-patch.ts";
import { wordDiff } from "../../diff/patch/word-diff.ts";
import { useKeys } from "../../keys/keys.ts";
import type { AttemptColumn } from "../columns.ts";
import { Counts } from "../file-grid.tsx";
import { TakeHunk } from "../take/take-box.tsx";
import type { Taking } from "../take/taking.ts";
import { type AlignedRow, alignRows, changeStarts, type PaneLine } from "./aligned-rows.ts";

const ROW = 18;

export interface PaneOf {
  readonly column: AttemptColumn;
  /** What the pane shows instead of lines. */
  readonly note: string | null;
  /** That only a part of the patch is shown; null if all of it is. */
  readonly cut: string | null;
  readonly patch: FilePatch;
}

interface PanesProps {
  readonly path: string;
  readonly panes: readonly PaneOf[];
  readonly focused: string;
  readonly onFocus: (letter: string) => void;
  readonly taking: Taking | null;
}

export default function Panes(props: PanesProps) {
  const { panes } = props;
  const { t } = useTranslation("keys");
  const colours = usePaneColours(props);
  const isTaking = props.taking !== null;
  const rows = useMemo(() => {
    const all = alignRows(panes.map(({ patch }) => patch));
    // A hunk that begins where another pane goes on matters only to who takes hunks.
    return isTaking ? all : all.filter((row) => row.kind === "lines" || row.skipped > 0);
  }, [panes, isTaking]);
  const scrollers = useRef<(HTMLDivElement | null)[]>([]);
  // A pane that shows no lines does not scroll.
  const leader = Math.max(
    0,
    panes.findIndex(({ note }) => note === null),
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollers.current[leader] ?? null,
    estimateSize: () => ROW,
    overscan: 20,
  });
  const goToChange = (by: 1 | -1) => {
    const top = Math.round((scrollers.current[leader]?.scrollTop ?? 0) / ROW) + 2;
    const starts = changeStarts(rows);
    const next = by === 1 ? starts.find((row) => row > top) : starts.findLast((row) => row < top);
    if (next !== undefined) scrollers.current[leader]?.scrollTo({ top: (next - 2) * ROW });
  };
  useKeys([
    { spec: "}", words: t("change"), run: () => goToChange(1) },
    { spec: "{", words: t("change"), run: () => goToChange(-1) },
  ]);
  return (
    <div
      className="grid min-h-0 flex-1 bg-surface"
      style={{ gridTemplateColumns: `repeat(${panes.length}, minmax(0, 1fr))` }}
    >
      {panes.map((pane, index) => (
        <Pane
          key={pane.column.id}
          {...props}
          pane={pane}
          index={index}
          rows={rows}
          items={virtual.getVirtualItems()}
          height={virtual.getTotalSize()}
          scrollers={scrollers}
          colours={colours}
        />
      ))}
    </div>
  );
}

/** There are at most four panes. */
function usePaneColours({ panes, path }: PanesProps): Colours {
  const patchAt = (index: number) => panes[index]?.patch ?? null;
  return [
    useColours(patchAt(0), path),
    useColours(patchAt(1), path),
    useColours(patchAt(2), path),
    useColours(patchAt(3), path),
  ];
}

/** Of each pane, by its place. */
type Colours = readonly PatchColours[];

interface PaneProps extends PanesProps {
  readonly colours: Colours;
  readonly pane: PaneOf;
  readonly index: number;
  readonly rows: readonly AlignedRow[];
  readonly items: readonly VirtualItem[];
  readonly height: number;
  readonly scrollers: RefObject<(HTMLDivElement | null)[]>;
}

function Pane(props: PaneProps) {
  const { pane, index, focused, onFocus, scrollers, path } = props;
  const { letter } = pane.column;
  const isOn = letter === focused;
  const scrollOthers = (from: HTMLDivElement) => {
    for (const other of scrollers.current)
      if (other !== null && other !== from && other.scrollTop !== from.scrollTop)
        other.scrollTop = from.scrollTop;
  };
  return (
    <section
      aria-label={`${letter} ${path}`}
      className="flex min-h-0 min-w-0 flex-col border-r border-line last:border-r-0"
    >
      <PaneHead column={pane.column} path={path} isOn={isOn} onFocus={onFocus} />
      {pane.note !== null && <p className="p-3 text-small text-ink-2">{pane.note}</p>}
      {pane.cut !== null && <p className="bg-needs-soft px-3 py-1 text-fine text-needs-ink">{pane.cut}</p>}
      <div
        ref={(node) => {
          scrollers.current[index] = node;
        }}
        id={`pane-${index}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
        tabIndex={0}
        className={`min-h-0 overflow-auto outline-offset-[-2px] ${pane.note === null ? "flex-1" : "h-0"}`}
        onScroll={({ currentTarget }) => scrollOthers(currentTarget)}
      >
        {pane.note === null && <PaneTable {...props} />}
      </div>
    </section>
  );
}

function PaneHead(props: {
  readonly column: AttemptColumn;
  readonly path: string;
  readonly isOn: boolean;
  readonly onFocus: (letter: string) => void;
}) {
  const { column, path, isOn } = props;
  const change = column.compared.changed?.find((file) => file.path === path);
  return (
    <header
      className={`flex h-7 pointer-coarse:h-11 flex-none items-center gap-2 border-b border-line px-2.5 ${isOn ? "bg-accent-soft" : ""}`}
    >
      <button
        type="button"
        aria-pressed={isOn}
        onClick={() => props.onFocus(column.letter)}
        className="flex items-center gap-2 pointer-coarse:h-11 pointer-coarse:min-w-11"
      >
        <Letter letter={column.letter} />
        <span className="text-fine tabular-nums">
          {change !== undefined && change.additions !== null && (
            <Counts additions={change.additions} deletions={change.deletions ?? 0} />
          )}
        </span>
      </button>
    </header>
  );
}

function PaneTable({ rows, items, height, pane, index, path, taking, colours }: PaneProps) {
  const before = items[0]?.start ?? 0;
  const after = height - (items.at(-1)?.end ?? 0);
  return (
    <table className="w-max min-w-full border-collapse font-mono text-[10.5px] leading-[18px] [font-feature-settings:'calt'_0,'liga'_0]">
      <tbody>
        {before > 0 && <tr style={{ height: before }} />}
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return row.kind === "head" ? (
            <HeadRow
              key={item.index}
              row={row}
              index={index}
              column={pane.column}
              path={path}
              taking={taking}
            />
          ) : (
            <LineRow key={item.index} line={row.panes[index] ?? null} colours={colours} />
          );
        })}
        {after > 0 && <tr style={{ height: after }} />}
      </tbody>
    </table>
  );
}

function HeadRow(props: {
  readonly row: Extract<AlignedRow, { kind: "head" }>;
  readonly index: number;
  readonly column: AttemptColumn;
  readonly path: string;
  readonly taking: Taking | null;
}) {
  const { t } = useTranslation("compare");
  const { row, index, column, path, taking } = props;
  const hunk = row.panes[index] ?? null;
  return (
    <tr style={{ height: ROW }} className="bg-sunken text-ink-3">
      <td colSpan={3} className="px-3 shadow-[inset_0_1px_var(--line),inset_0_-1px_var(--line)]">
        <span className="sticky left-3 inline-flex h-[18px] items-center gap-2 align-top whitespace-nowrap">
          {taking !== null && hunk !== null && (
            <TakeHunk taking={taking} path={path} column={column} hunk={hunk.number} />
          )}
          {row.skipped > 0 && (
            <span title={t("unchangedLines", { count: row.skipped })}>
              <span aria-hidden="true">⋯</span>
              <span className="visually-hidden">{t("unchangedLines", { count: row.skipped })}</span>
            </span>
          )}
          <bdi>{hunk?.section ?? ""}</bdi>
        </span>
      </td>
    </tr>
  );
}

const GROUND = { context: "", added: "bg-add-line", removed: "bg-del-line" } as const;
const NUMBER = { context: "text-ink-3", added: "text-add-ink", removed: "text-del-ink" } as const;
const SIGN = { context: "", added: "+", removed: "−" } as const;

function LineRow({ line, colours }: { readonly line: PaneLine; readonly colours: Colours }) {
  const { t } = useTranslation("compare");
  if (line === null)
    return (
      <tr
        style={{ height: ROW }}
        className="bg-[repeating-linear-gradient(135deg,transparent_0_5px,var(--sunken)_5px_7px)]"
      >
        <td colSpan={3} />
      </tr>
    );
  const { kind } = line;
  return (
    <tr style={{ height: ROW }} className={GROUND[kind]}>
      <th
        scope="row"
        className={`w-7 pr-1 text-right text-[10px] font-normal select-none tabular-nums ${NUMBER[kind]}`}
      >
        {line.line ?? ""}
        {kind !== "context" && <span className="visually-hidden">{t(kind)}</span>}
      </th>
      <td aria-hidden="true" className={`w-3.5 text-center select-none ${NUMBER[kind]}`}>
        {SIGN[kind]}
      </td>
      <td className="pr-2 whitespace-pre [tab-size:2]">
        <LineText line={line} colours={colours} />
      </td>
    </tr>
  );
}

function LineText({ line, colours }: { readonly line: NonNullable<PaneLine>; readonly colours: Colours }) {
  const { text, pair, kind, at, pane } = line;
  const marks = pair === null ? [] : kind === "removed" ? wordDiff(text, pair).old : wordDiff(pair, text).new;
  return (
    <bdi className="[&_del]:rounded-[2px] [&_del]:bg-del-word [&_del]:no-underline [&_ins]:rounded-[2px] [&_ins]:bg-add-word [&_ins]:no-underline">
      <CodeText
        text={text}
        colours={colours[pane]?.[at.hunk]?.[at.side][at.index]}
        marks={marks}
        markAs={kind === "removed" ? "del" : "ins"}
      />
    </bdi>
  );
}
