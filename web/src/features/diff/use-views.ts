/** Holds what is known of each file of a diff: folded or not, its patch, its height, its place. */

import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { useCallback, useMemo, useRef, useState } from "react";
import { type Annotated, type FileView, type ViewOptions, viewOf } from "./bodies.ts";
import { filesWithin, indexAt, place } from "./layout.ts";
import { heldBack } from "./patch/file-kind.ts";
import type { RowsOf } from "./patch/rows.ts";
import { type DiffSource, sourceKey } from "./patch/source.ts";
import { useMoreLines } from "./use-more-lines.ts";
import { usePatches } from "./use-patches.ts";
import { useRest } from "./use-rest.ts";
import type { Viewport } from "./viewport.ts";

/** Files behind those in sight that are loaded too. */
const AHEAD = 2;

export function useViews(of: {
  readonly source: DiffSource;
  readonly files: readonly DiffFile[];
  readonly layout: RowsOf["layout"];
  readonly hideSpace?: boolean;
  readonly annotations: readonly Annotated[];
  readonly viewport: Viewport;
}) {
  const { source, files, layout, hideSpace = false, annotations, viewport } = of;
  const [folded, fold] = useToggled();
  const [asked, ask] = useToggled();
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const byPath = useMemo(() => Map.groupBy(annotations, ({ path }) => path), [annotations]);
  const before = useRef<ReturnType<typeof place>>({ files: [], height: 0 });
  const wanted = useWanted({ files, placed: before.current.files, viewport, folded, asked });
  const { patches, more } = useMoreLines(source, usePatches(source, { wanted, asked }), annotations);
  const options = { patches, folded, asked, annotations: byPath, heights, layout, hideSpace };
  const views = useFileViews(files, options, sourceKey(source));
  const placed = useMemo(() => place(views.map(({ body }) => body)), [views]);
  before.current = placed;
  const setHeight = useCallback(
    (key: string, height: number) =>
      setHeights((now) => (now.get(key) === height ? now : new Map(now).set(key, height))),
    [],
  );
  return { views, placed: placed.files, height: placed.height, fold, ask, setHeight, more };
}

/** The paths whose patches are needed now. */
function useWanted(of: {
  readonly files: readonly DiffFile[];
  readonly placed: ReturnType<typeof place>["files"];
  readonly viewport: Viewport;
  readonly folded: ReadonlySet<string>;
  readonly asked: ReadonlySet<string>;
}): readonly string[] {
  const { files, placed, viewport, folded, asked } = of;
  const top = useRest(viewport.top);
  const first = placed.length === 0 ? 0 : indexAt(placed, top);
  const within = filesWithin(placed, top, top + viewport.height);
  const last = (within.at(-1)?.index ?? Math.min(files.length - 1, 8)) + AHEAD;
  return files
    .slice(first, last + 1)
    .filter((file) => !folded.has(file.path) && (asked.has(file.path) || heldBack(file) === null))
    .map(({ path }) => path);
}

/** A file whose circumstances did not change keeps its view, so that it is not drawn again. */
function useFileViews(files: readonly DiffFile[], options: ViewOptions, key: string): readonly FileView[] {
  const held = useRef(new Map<string, { readonly stamp: readonly unknown[]; readonly view: FileView }>());
  const { patches, folded, asked, annotations, heights, layout, hideSpace } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts of the options stand for them.
  return useMemo(
    () =>
      files.map((file) => {
        const own = annotations.get(file.path);
        const stamp = [
          key,
          file,
          patches.get(file.path),
          folded.has(file.path),
          asked.has(file.path),
          own,
          own === undefined ? null : own.map((each) => heights.get(each.key)).join(),
          layout,
          hideSpace,
        ];
        const known = held.current.get(file.path);
        if (known?.stamp.every((part, index) => part === stamp[index])) return known.view;
        const view = viewOf(file, options);
        held.current.set(file.path, { stamp, view });
        return view;
      }),
    [files, key, patches, folded, asked, annotations, heights, layout, hideSpace],
  );
}

function useToggled(): readonly [ReadonlySet<string>, (name: string) => void] {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (name: string) =>
      setNames((now) => {
        const next = new Set(now);
        if (!next.delete(name)) next.add(name);
        return next;
      }),
    [],
  );
  return [names, toggle];
}
