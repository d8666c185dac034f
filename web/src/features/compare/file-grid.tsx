/** A row for each file that some attempt changed, a cell for each attempt; what neighbours left the same is one cell. */
import type { ChangedFile } from "@contract/endpoints/attempts.ts";
import { cleanLine } from "@contract/text.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { useMedia } from "../../ui/use-media.ts";
import type { AttemptColumn } from "./columns.ts";
import type { FileCell, FileRow } from "./file-rows.ts";
import { TakeFile } from "./take/take-box.tsx";
import type { Taking } from "./take/taking.ts";

const ROW = 26;
/** For a finger. */
const TOUCH_ROW = 44;

interface GridProps {
  readonly columns: readonly AttemptColumn[];
  readonly rows: readonly FileRow[];
  readonly shown: readonly FileRow[];
  /** The path of the row that has the focus. */
  readonly path: string | null;
  readonly focused: string;
  readonly onlyDiffering: boolean;
  readonly onPath: (path: string) => void;
  readonly onCell: (path: string, letter: string) => void;
  readonly onOnlyDiffering: (only: boolean) => void;
  readonly onTake: () => void;
  /** Null if nothing is being taken. */
  readonly taking: Taking | null;
}

export function FileGrid(props: GridProps) {
  const { t } = useTranslation("compare");
  const { rows, shown } = props;
  const identical = rows.filter(({ isIdentical }) => isIdentical).length;
  return (
    <section
      aria-label={t("byAttempt")}
      className="flex min-h-0 min-w-0 flex-col border-r border-line max-lg:max-h-[45vh] max-lg:border-r-0"
    >
      <div className="flex h-[34px] flex-none items-center gap-2 border-b border-line px-3.5 pointer-coarse:h-14">
        <h2 className="text-small">{t("files")}</h2>
        <span className="text-fine text-ink-3 tabular-nums">
          {rows.length}
          {identical > 0 && ` · ${t("identical", { count: identical })}`}
        </span>
        <span className="ml-auto flex items-center gap-1.5">
          {props.taking === null && props.columns.length > 1 && (
            <Button size="small" kind="quiet" onClick={props.onTake}>
              {t("take")}
            </Button>
          )}
          <Segmented
            label={t("byAttempt")}
            value={props.onlyDiffering ? "differ" : "all"}
            options={[
              { value: "all", words: t("all") },
              { value: "differ", words: t("differ") },
            ]}
            onChange={(value) => props.onOnlyDiffering(value === "differ")}
          />
        </span>
      </div>
      {shown.length === 0 ? (
        <p className="p-3.5 text-small text-ink-2">{t(rows.length === 0 ? "noFiles" : "noneDiffer")}</p>
      ) : (
        <Rows {...props} />
      )}
    </section>
  );
}

function Rows(props: GridProps) {
  const { t } = useTranslation("compare");
  const { columns, shown, path } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const height = useMedia("(pointer: coarse)") ? TOUCH_ROW : ROW;
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
  });
  const at = shown.findIndex((row) => row.path === path);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new row is brought into sight.
  useEffect(() => {
    if (at > 0) virtual.scrollToIndex(at, { align: "auto" });
  }, [at]);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <table
        className="w-full table-fixed border-collapse text-fine"
        style={{ minWidth: 140 + columns.length * 56 }}
        aria-rowcount={shown.length + 1}
      >
        <thead>
          <tr>
            <th
              scope="col"
              style={{ width: columns.length > 3 ? 140 : "44%" }}
              className="sticky top-0 left-0 z-2 border-b border-line bg-canvas px-2 py-1.5 pl-3.5 text-left font-medium text-ink-3"
            >
              {t("touched")}
            </th>
            {columns.map(({ id, letter }) => (
              <th
                key={id}
                scope="col"
                className="sticky top-0 z-1 border-b border-line bg-canvas text-center font-medium text-ink-3"
              >
                {letter}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr style={{ height: before }} />}
          {items.map(({ index }) => {
            const row = shown[index];
            return row === undefined ? null : (
              <Row key={row.path} row={row} index={index} height={height} {...props} />
            );
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

function Row(props: GridProps & { readonly row: FileRow; readonly index: number; readonly height: number }) {
  const { row, index, path, onPath, onCell, focused } = props;
  const isOn = row.path === path;
  return (
    <tr
      aria-rowindex={index + 2}
      aria-selected={isOn}
      style={{ height: props.height }}
      className={isOn ? "bg-accent-soft" : "hover:bg-hover"}
    >
      <th
        scope="row"
        className="sticky left-0 z-1 border-b border-line bg-inherit px-2 py-0 pl-3.5 text-left font-normal"
      >
        <button
          type="button"
          title={cleanLine(row.path)}
          onClick={() => onPath(row.path)}
          className="-outline-offset-2 block w-full truncate text-left pointer-coarse:h-11 font-mono text-fine [direction:rtl]"
        >
          <bdi dir="ltr">{cleanLine(row.path)}</bdi>
        </button>
      </th>
      {row.cells.map((cell) => (
        <td
          key={cell.letters[0]}
          colSpan={cell.letters.length}
          className="overflow-hidden border-b border-line px-1 text-center whitespace-nowrap tabular-nums"
        >
          <span className="flex items-center justify-center gap-1">
            {props.taking !== null && cell.change !== null && (
              <TakeFile
                taking={props.taking}
                path={row.path}
                letters={cell.letters}
                columns={props.columns}
              />
            )}
            <Cell
              cell={cell}
              onOpen={() =>
                onCell(row.path, cell.letters.includes(focused) ? focused : (cell.letters[0] as string))
              }
            />
          </span>
        </td>
      ))}
    </tr>
  );
}

function Cell({ cell, onOpen }: { readonly cell: FileCell; readonly onOpen: () => void }) {
  const { t } = useTranslation("compare");
  const { change, letters, sameAs, isUnknown } = cell;
  if (isUnknown) return <span title={t("unknown")}>?</span>;
  if (change === null)
    return (
      <span className="text-ink-3">
        <span aria-hidden="true">·</span>
        <span className="visually-hidden">{t("notChanged")}</span>
      </span>
    );
  const { additions, deletions } = change;
  const said = lineWords(change, t);
  const isSame = letters.length > 1;
  const name = isSame
    ? t("sameIn", { letters: lettersWords(letters, t), lines: said })
    : `${letters[0]}: ${said}${sameAs === null ? "" : `, ${t("sameAs", { letter: sameAs })}`}`;
  return (
    <button
      type="button"
      onClick={onOpen}
      className={
        isSame
          ? "w-[94%] pointer-coarse:h-11 rounded-chip bg-sunken px-1 text-ink-2 shadow-[inset_0_0_0_1px_var(--line)]"
          : "rounded-chip px-1 pointer-coarse:h-11 pointer-coarse:min-w-11 hover:underline"
      }
    >
      <span className="visually-hidden">{name}</span>
      <span aria-hidden="true">
        {isSame && `${t("same")} `}
        {sameAs !== null && <span className="text-ink-3">={sameAs} </span>}
        {additions === null ? t("binary") : <Counts additions={additions} deletions={deletions ?? 0} />}
      </span>
    </button>
  );
}

/** Zeros are left out, so that a grid stays quiet. */
export function Counts(props: { readonly additions: number; readonly deletions: number }) {
  const { additions, deletions } = props;
  return (
    <>
      {(additions > 0 || deletions === 0) && <span className="text-add-ink">+{additions}</span>}
      {additions > 0 && deletions > 0 && " "}
      {deletions > 0 && <span className="text-del-ink">−{deletions}</span>}
    </>
  );
}

/** Such as `14 lines added, 2 removed`. */
function lineWords({ additions, deletions }: ChangedFile, t: Translate): string {
  if (additions === null) return t("binary");
  const removed = deletions ?? 0;
  return [
    ...(additions > 0 || removed === 0 ? [t("linesAdded", { count: additions })] : []),
    ...(removed > 0 ? [t("linesRemoved", { count: removed })] : []),
  ].join(", ");
}

type Translate = ReturnType<typeof useTranslation<"compare">>["t"];

/** Such as `A, B and C`. */
export function lettersWords(letters: readonly string[], t: Translate): string {
  const [last = "", ...before] = letters.toReversed();
  if (before.length === 0) return last;
  return t("andLetter", { first: before.toReversed().join(", "), last });
}
