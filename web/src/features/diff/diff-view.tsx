/** Shows the files of a diff below each other. Only what is in sight is loaded and drawn, however many files there are. */
import "./diff.css";
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { type PointerEvent, type ReactNode, type Ref, useCallback, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Cursor } from "./cursor.ts";
import { FileSection } from "./file-section.tsx";
import type { Annotation, CommentSides, DiffHandle } from "./handle.ts";
import { filesWithin, HEADER } from "./layout.ts";
import { type LinePlace, linesBetween } from "./patch/line-of.ts";
import type { Layout } from "./patch/rows.ts";
import type { DiffSource } from "./patch/source.ts";
import { useCursor } from "./use-cursor.ts";
import { useKeptPlace } from "./use-kept-place.ts";
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
  readonly ref?: Ref<DiffHandle>;
}

const MARGIN = 400;
const NO_ANNOTATIONS: readonly Annotation[] = [];

export default function DiffView(props: DiffViewProps) {
  const { t } = useTranslation("diff");
  const { files, annotations = NO_ANNOTATIONS, onComment, headerActs } = props;
  const box = useRef<HTMLDivElement>(null);
  const viewport = useViewport(box);
  const model = useViews({ ...props, annotations, viewport });
  const { views, placed, height } = model;
  useKeptPlace(box, placed, files);
  const { cursor, setCursor } = useCursor({ ...props, box, views, placed, viewport, annotations });
  const contents = useMemo(
    () => new Map(annotations.map(({ key, content }) => [key, content])),
    [annotations],
  );
  const contentOf = useCallback((key: string) => contents.get(key) ?? null, [contents]);
  const pointer = usePointer({ views, cursor, setCursor, onComment });
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

/** A press on a number chooses its line; with shift, or while drawn, the lines up to it. */
function usePointer(of: {
  readonly views: ReturnType<typeof useViews>["views"];
  readonly cursor: Cursor | null;
  readonly setCursor: (cursor: Cursor) => void;
  readonly onComment: ((place: LinePlace) => void) | undefined;
}) {
  const { views, cursor, setCursor, onComment } = of;
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
