/** Shows the files of a diff below each other. Only what is in sight is loaded and drawn, however many files there are. */
import "./diff.css";
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { type PointerEvent, type ReactNode, type Ref, useCallback, useMemo, useRef } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { Cursor } from "./cursor.ts";
import { FileSection } from "./file-section.tsx";
import type { Annotation, CommentSides, DiffHandle } from "./handle.ts";
import { filesWithin, HEADER } from "./layout.ts";
import { type LinePlace, linesBetween, rowAfterShowing } from "./patch/line-of.ts";
import type { Which } from "./patch/more-lines.ts";
import { type Layout, rowsOf } from "./patch/rows.ts";
import { type DiffSource, sourceKey } from "./patch/source.ts";
import { useCursor } from "./use-cursor.ts";
import { useKeptPlace } from "./use-kept-place.ts";
import { useSwipe } from "./use-swipe.ts";
import { useViews } from "./use-views.ts";
import { useViewport } from "./viewport.ts";

export interface DiffViewProps {
  readonly source: DiffSource;
  readonly files: readonly DiffFile[];
  readonly layout: Layout;
  readonly hideSpace?: boolean;
  readonly annotations?: readonly Annotation[];
  /** Buttons beside the lines are there only with this. */
  readonly onComment?: (place: LinePlace) => void;
  /** The sides whose lines can be commented. */
  readonly commentsOn?: CommentSides;
  /** Beside the name of each file. Keep it the same function as long as it says the same. */
  readonly headerActs?: (file: DiffFile) => ReactNode;
  /** The file at the top of what is in sight, or the one with the cursor. */
  readonly onFile?: (path: string) => void;
  /** Where the bytes of the whole patch are. */
  readonly wholePatch?: string;
  /** What a stroke of a finger does, if not to go to another file of these. */
  readonly onSwipe?: (step: 1 | -1) => void;
  readonly ref?: Ref<DiffHandle>;
}

const MARGIN = 400;
const NO_ANNOTATIONS: readonly Annotation[] = [];

export function DiffView(props: DiffViewProps) {
  const { t } = useTranslation("diff");
  const { files, annotations = NO_ANNOTATIONS, onComment, headerActs } = props;
  const box = useRef<HTMLDivElement>(null);
  const viewport = useViewport(box);
  const key = sourceKey(props.source);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the source, so that files are not drawn again.
  const source = useMemo(() => props.source, [key]);
  const model = useViews({ ...props, annotations, viewport });
  const { views, placed, height } = model;
  useKeptPlace(box, placed, files);
  const { cursor, setCursor, go, toFile } = useCursor({
    ...props,
    box,
    views,
    placed,
    viewport,
    annotations,
  });
  useSwipe(box, props.onSwipe ?? toFile);
  const contents = useMemo(
    () => new Map(annotations.map(({ key, content }) => [key, content])),
    [annotations],
  );
  const contentOf = useCallback((key: string) => contents.get(key) ?? null, [contents]);
  const onMore = useMore({ ...props, views, more: model.more, go });
  const pointer = usePointer({ views, cursor, setCursor, onComment, onMore });
  const shown = new Set(
    filesWithin(placed, viewport.top - MARGIN, viewport.top + viewport.height + MARGIN).map(
      ({ index }) => index,
    ),
  );
  const withCursor = cursor === null ? -1 : views.findIndex(({ file }) => file.path === cursor.path);
  if (withCursor >= 0) shown.add(withCursor);
  return (
    <section ref={box} className="diff" aria-label={t("diff")} {...pointer}>
      <div style={{ height }}>
        {[...shown]
          .toSorted((one, other) => one - other)
          .map((index) => {
            const view = views[index];
            const top = placed[index]?.top ?? 0;
            if (view === undefined) return null;
            const isCursor = index === withCursor;
            return (
              <FileSection
                key={view.file.path}
                source={source}
                view={view}
                top={top}
                from={stretch(viewport.top - MARGIN - top - HEADER)}
                to={stretch(viewport.top + viewport.height + MARGIN - top - HEADER)}
                width={viewport.width}
                layout={props.layout}
                cursor={isCursor ? (cursor?.row ?? null) : null}
                selected={isCursor && cursor !== null ? selectedRows(cursor) : null}
                commentsOn={onComment === undefined ? "none" : (props.commentsOn ?? "both")}
                wholePatch={props.wholePatch ?? null}
                headerActs={headerActs ?? null}
                contentOf={contentOf}
                onHeight={model.setHeight}
                onFold={model.fold}
                onAsk={model.ask}
              />
            );
          })}
      </div>
    </section>
  );
}

/** In steps, so that a file is drawn again only now and then while it is scrolled. */
const stretch = (pixels: number) => Math.max(-1, Math.round(pixels / 100) * 100);

function selectedRows({ anchor, row }: Cursor): readonly [number, number] | null {
  if (anchor === null) return null;
  return anchor < row ? [anchor, row] : [row, anchor];
}

/** Shows lines that are left out. By keyboard, the cursor goes on to where more of them can be shown. */
function useMore(of: {
  readonly views: ReturnType<typeof useViews>["views"];
  readonly more: ReturnType<typeof useViews>["more"];
  readonly layout: Layout;
  readonly hideSpace?: boolean;
  readonly go: (cursor: Cursor) => void;
}) {
  const { views, more, layout, hideSpace = false, go } = of;
  return async (path: string, row: number, { which, byKey }: { which: Which; byKey: boolean }) => {
    const gap = views.find(({ file }) => file.path === path)?.body.rows?.[row];
    if (gap?.kind !== "gap") return;
    const shown = await more({ path, hunk: gap.hunk, which });
    if (shown === null || !byKey) return;
    const rows = rowsOf(shown.patch, { layout, hideSpace });
    go({ path, row: rowAfterShowing(rows, shown.patch, { ...shown, which }), anchor: null });
  };
}

/** A press on a number chooses its line; with shift, or while drawn, the lines up to it. */
function usePointer(of: {
  readonly views: ReturnType<typeof useViews>["views"];
  readonly cursor: Cursor | null;
  readonly setCursor: (cursor: Cursor) => void;
  readonly onComment: ((place: LinePlace) => void) | undefined;
  readonly onMore: ReturnType<typeof useMore>;
}) {
  const { views, cursor, setCursor, onComment, onMore } = of;
  const at = (event: PointerEvent | React.MouseEvent) => {
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>("[data-row]")?.dataset.row;
    const path = target.closest<HTMLElement>("[data-file]")?.dataset.file;
    return row === undefined || path === undefined ? null : { target, path, row: Number(row) };
  };
  const reach = (path: string, row: number) =>
    setCursor({ path, row, anchor: cursor?.path === path ? (cursor.anchor ?? cursor.row) : null });
  return {
    onPointerDown: (event: PointerEvent) => {
      const hit = at(event);
      if (hit === null || event.button !== 0 || hit.target.closest(".diff-gutter") === null) return;
      if (event.shiftKey) reach(hit.path, hit.row);
      else setCursor({ path: hit.path, row: hit.row, anchor: null });
    },
    onPointerOver: (event: PointerEvent) => {
      const hit = event.buttons === 1 ? at(event) : null;
      if (hit?.path === cursor?.path && hit?.target.closest(".diff-gutter")) reach(hit.path, hit.row);
    },
    onClick: (event: React.MouseEvent) => {
      const hit = at(event);
      const which = hit?.target.closest<HTMLElement>("[data-more]")?.dataset.more as Which | undefined;
      // A press by keyboard has no number of clicks.
      if (hit !== null && which !== undefined)
        return void onMore(hit.path, hit.row, { which, byKey: event.detail === 0 });
      if (hit === null || hit.target.closest("[data-comment]") === null) return;
      const view = views.find(({ file }) => file.path === hit.path);
      const held = cursor?.path === hit.path ? selectedRows(cursor) : null;
      const isInside = held !== null && hit.row >= held[0] && hit.row <= held[1];
      const lines =
        view?.patch == null
          ? null
          : linesBetween(view.body.rows ?? [], view.patch, isInside ? held : [hit.row, hit.row]);
      if (lines !== null) onComment?.({ path: hit.path, ...lines });
    },
  };
}
