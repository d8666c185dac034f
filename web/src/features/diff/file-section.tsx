/** Draws one file of a diff at its place: its header stays in sight, and of its rows only those in sight are drawn. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { visibleText } from "@contract/text.ts";
import { ChevronDown, ChevronRight } from "lucide-react";
import { memo, type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { PathText } from "../../ui/text/path-text.tsx";
import { type FileView, hasPictures } from "./bodies.ts";
import { useColours } from "./code/highlight.ts";
import { FileCounts } from "./file/file-counts.tsx";
import { FileNote } from "./file/file-note.tsx";
import { Pictures } from "./file/pictures.tsx";
import type { CommentSides } from "./handle.ts";
import { HEADER, noteHeight, ROW, rowsWithin, topOfRow } from "./layout.ts";
import { FileRow } from "./line-row.tsx";
import { changeWord } from "./patch/file-kind.ts";
import type { Layout } from "./patch/rows.ts";
import type { DiffSource } from "./patch/source.ts";

interface FileSectionProps {
  readonly source: DiffSource;
  readonly view: FileView;
  readonly top: number;
  /** The stretch in sight, counted from the top of the body. */
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly layout: Layout;
  readonly cursor: number | null;
  readonly selected: readonly [number, number] | null;
  readonly commentsOn: CommentSides;
  readonly wholePatch: string | null;
  readonly headerActs: ((file: DiffFile) => ReactNode) | null;
  readonly contentOf: (key: string) => ReactNode;
  readonly onHeight: (key: string, height: number) => void;
  readonly onFold: (path: string) => void;
  readonly onAsk: (path: string) => void;
}

export const FileSection = memo(function FileSection(props: FileSectionProps) {
  const { view, top, layout, onAsk } = props;
  const { file, body, note, patch } = view;
  const sideways = useSideways();
  const isWide = patch !== null && layout === "split";
  return (
    <section
      aria-label={visibleText(file.path)}
      className="diff-file"
      data-file={file.path}
      ref={sideways.section}
      style={{ top, height: body.height + HEADER }}
    >
      <FileHeader {...props} />
      {!view.isFolded && (
        <div
          className="diff-body"
          data-layout={layout}
          {...(isWider(props) ? { "data-wide": "" } : {})}
          style={{ height: body.height }}
          onWheel={isWide ? ({ deltaX }) => sideways.by(deltaX) : undefined}
          onScroll={({ currentTarget }) => sideways.slide(currentTarget.scrollLeft)}
        >
          {note !== null && note.kind !== "loading" && (
            <FileNote note={note} onShow={() => onAsk(file.path)} />
          )}
          {hasPictures(note) && <Pictures file={file} source={props.source} />}
          {note?.kind === "loading" && <Loading />}
          <Rows {...props} />
          <Inserts {...props} />
        </div>
      )}
      {isWide && <SidewaysBar {...props} sideways={sideways} />}
    </section>
  );
});

/** The code goes on to the right of what is in sight. A sign of the font is at least 6.5 px wide. */
function isWider({ view, layout, width }: FileSectionProps): boolean {
  const signs = (view.patch?.width ?? 0) + 2 * numberWidth(view);
  return layout === "unified" && view.body.rows !== null && signs * 6.5 + 52 > width;
}

function FileHeader({ view, headerActs, onFold }: FileSectionProps) {
  const { t } = useTranslation("diff");
  const { file, isFolded, patch } = view;
  const path = visibleText(file.path);
  const word = changeWord(file.status);
  const previous = patch?.previousName ?? null;
  return (
    <header className="diff-header">
      <button
        type="button"
        className="flex min-w-0 items-center gap-2 pointer-coarse:min-h-11"
        aria-expanded={!isFolded}
        aria-label={t(isFolded ? "unfold" : "fold", { path })}
        onClick={() => onFold(file.path)}
      >
        {isFolded ? (
          <ChevronRight size={14} className="flex-none" />
        ) : (
          <ChevronDown size={14} className="flex-none" />
        )}
        <span className="truncate font-mono text-small font-semibold">
          {previous !== null && previous !== file.path && (
            <span className="font-normal text-ink-3">
              <PathText path={previous} /> →{" "}
            </span>
          )}
          <PathText path={file.path} />
        </span>
      </button>
      <FileCounts file={file} />
      {word !== "modified" && <span className="chip">{t(word)}</span>}
      {patch?.modes != null && <span className="chip">{t("modeChanged", patch.modes)}</span>}
      {patch?.isLineCut === true && <span className="chip">{t("longLines")}</span>}
      {patch?.hasConflictMarkers === true && <span className="chip family-fail">{t("conflictMarkers")}</span>}
      <span className="ml-auto flex flex-none items-center gap-2">{headerActs?.(file)}</span>
    </header>
  );
}

function Loading() {
  const { t } = useTranslation("diff");
  return <p className="px-3 py-2 text-small text-ink-3">{t("loading")}</p>;
}

function Rows(props: FileSectionProps) {
  const { t } = useTranslation("diff");
  const { view, from, to, layout, cursor, selected, commentsOn } = props;
  const { rows, inserts } = view.body;
  const colours = useColours(view.patch, view.file.path);
  if (rows === null || view.patch === null) return null;
  const { patch, file } = view;
  const [first, end] = rowsWithin(view.body, from, to);
  const shown = Array.from({ length: Math.max(0, end - first) }, (_, step) => first + step);
  // The row with the focus stays, however far it is from sight.
  if (cursor !== null && cursor >= 0 && cursor < rows.length && (cursor < first || cursor >= end))
    shown.push(cursor);
  const size = { "--digits": `${numberWidth(view)}ch`, "--code-width": `${patch.width + 2}ch` };
  return (
    <div
      role="table"
      aria-label={t("linesOf", { added: file.additions ?? 0, removed: file.deletions ?? 0 })}
      aria-rowcount={rows.length}
      className="diff-table"
      data-layout={layout}
      style={{ ...size, height: view.body.height } as React.CSSProperties}
    >
      {shown.map((index) => {
        const row = rows[index];
        return row === undefined ? null : (
          <FileRow
            key={index}
            row={row}
            index={index}
            top={topOfRow(index, inserts)}
            patch={patch}
            colours={colours}
            layout={layout}
            isCursor={index === cursor}
            isSelected={selected !== null && index >= selected[0] && index <= selected[1]}
            commentsOn={commentsOn}
          />
        );
      })}
      {patch.isCut && <Cut {...props} top={topOfRow(rows.length, inserts)} />}
    </div>
  );
}

function Cut({ wholePatch, top }: FileSectionProps & { readonly top: number }) {
  const { t } = useTranslation("diff");
  return (
    <div role="row" tabIndex={-1} className="diff-row" style={{ top }}>
      <span role="cell" className="diff-gap">
        {t("cut")}
        {wholePatch !== null && (
          <a className="text-accent underline" href={wholePatch} target="_blank" rel="noreferrer">
            {t("wholePatch")}
          </a>
        )}
      </span>
    </div>
  );
}

/** Enough digits for the largest number of a line. */
function numberWidth({ patch }: FileView): number {
  const last = patch?.hunks.at(-1);
  const most =
    last === undefined ? 0 : Math.max(last.oldStart + last.old.length, last.newStart + last.new.length);
  return Math.max(3, String(most).length);
}

function Inserts({ view, contentOf, onHeight, width, layout }: FileSectionProps) {
  const { rows, inserts } = view.body;
  if (view.note?.kind === "loading") return null;
  const base = rows === null ? noteHeight(hasPictures(view.note)) : 0;
  return inserts.map((insert, index) => {
    const before = inserts.slice(0, index).reduce((sum, { height }) => sum + height, 0);
    return (
      <Insert
        key={insert.key}
        name={insert.key}
        top={base + (insert.after + 1) * ROW + before}
        width={width}
        layout={layout}
        onHeight={onHeight}
      >
        {contentOf(insert.key)}
      </Insert>
    );
  });
}

function Insert(props: {
  readonly name: string;
  readonly top: number;
  readonly width: number;
  readonly layout: Layout;
  readonly onHeight: (key: string, height: number) => void;
  readonly children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { name, onHeight } = props;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const sizes = new ResizeObserver(() => onHeight(name, element.offsetHeight));
    sizes.observe(element);
    onHeight(name, element.offsetHeight);
    return () => sizes.disconnect();
  }, [name, onHeight]);
  return (
    <div
      ref={box}
      className="diff-insert"
      data-layout={props.layout}
      style={{ top: props.top, width: props.width }}
    >
      {props.children}
    </div>
  );
}

/** Side by side, both halves are scrolled sideways together by a bar of their own. */
function useSideways() {
  const section = useRef<HTMLElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  return {
    section,
    bar,
    by: (pixels: number) => {
      if (bar.current !== null && pixels !== 0) bar.current.scrollLeft += pixels;
    },
    /** What stands below a line keeps its place while the code is scrolled sideways. */
    slide: (pixels: number) => section.current?.style.setProperty("--slide", `${pixels}px`),
    take: () => section.current?.style.setProperty("--shift", `${-(bar.current?.scrollLeft ?? 0)}px`),
  };
}

function SidewaysBar(props: FileSectionProps & { readonly sideways: ReturnType<typeof useSideways> }) {
  const { t } = useTranslation("diff");
  const { view, sideways, width } = props;
  // A sign of the font is about 6.6 px wide; half of the width is one side.
  const inner = width + Math.max(0, ((view.patch?.width ?? 0) + 12) * 6.7 - width / 2);
  if (inner <= width) return null;
  return (
    <section
      ref={sideways.bar}
      className="diff-sideways"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keyboard.
      tabIndex={0}
      aria-label={t("scrollSideways", { path: visibleText(view.file.path) })}
      onScroll={sideways.take}
    >
      <div style={{ width: inner, height: 1 }} />
    </section>
  );
}
