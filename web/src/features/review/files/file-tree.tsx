/** The files of the patch by folder, with marks, comments and lines. Only those in sight are drawn. */

import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { visibleText } from "@contract/text.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronRight, MessageSquare } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { isComposing } from "../../../data/keys/composing.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { PathText } from "../../../ui/text/path-text.tsx";
import { useMedia } from "../../../ui/use-media.ts";
import { FileCounts } from "../../diff/file/file-counts.tsx";
import { type TreeRow, treeRows } from "./tree.ts";
import { ViewedMark } from "./viewed-mark.tsx";
import type { ViewedMarks } from "./viewed-marks.ts";

interface TreeProps {
  readonly files: readonly DiffFile[];
  readonly marks: ViewedMarks;
  /** How many comments each file has. */
  readonly comments: ReadonlyMap<string, number>;
  readonly shown: string | null;
  readonly onShow: (path: string) => void;
}

const ROW = 26;
/** For a finger. */
const TOUCH_ROW = 44;
const FEW = 12;

export function FileTree(props: TreeProps) {
  const { t } = useTranslation("review");
  const { files, shown, marks } = props;
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useState("");
  const rows = useMemo(() => treeRows(files, { folded, filter }), [files, folded, filter]);
  const box = useRef<HTMLDivElement>(null);
  const height = useMedia("(pointer: coarse)") ? TOUCH_ROW : ROW;
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
  });
  const at = rows.findIndex((row) => row.kind === "file" && row.file.path === shown);
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at);
  }, [at, list]);
  const toggle = (path: string) => setFolded((now) => toggled(now, path));
  return (
    <nav aria-label={t("files")} className="flex min-h-0 flex-1 flex-col">
      <TreeHead
        all={files.length}
        viewed={files.filter(({ path }) => marks.markOf(path) === "viewed").length}
      />
      {files.length > FEW && (
        <input
          data-filter=""
          type="search"
          className="field m-1.5 mb-0 h-7 min-h-0! w-auto!"
          aria-label={t("filterFiles")}
          placeholder={t("filterFiles")}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
          onKeyDown={(event) =>
            event.key === "Escape" && !isComposing(event.nativeEvent) && event.currentTarget.blur()
          }
        />
      )}
      <div ref={box} className="min-h-0 flex-1 overflow-y-auto p-1.5">
        <ul className="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <li
                key={keyOf(row)}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                {row.kind === "folder" ? (
                  <Folder row={row} onToggle={() => toggle(row.path)} />
                ) : (
                  <File {...props} row={row} />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </nav>
  );
}

const keyOf = (row: TreeRow) => (row.kind === "folder" ? `folder ${row.path}` : row.file.path);

function TreeHead({ all, viewed }: { readonly all: number; readonly viewed: number }) {
  const { t } = useTranslation("review");
  return (
    <div className="flex h-9 flex-none items-center gap-2 border-b border-line px-3">
      <h2 className="text-small">{t("files")}</h2>
      <span className="text-fine text-ink-3 tabular-nums">{t("viewedCount", { viewed, all })}</span>
      <span
        aria-hidden="true"
        className="keeps-colours ml-auto h-1 w-15 overflow-hidden rounded-full bg-line"
      >
        <span
          className="block h-full rounded-full bg-ink-3"
          style={{ width: `${all === 0 ? 0 : Math.round((viewed / all) * 100)}%` }}
        />
      </span>
    </div>
  );
}

function Folder({
  row,
  onToggle,
}: {
  readonly row: TreeRow & { kind: "folder" };
  readonly onToggle: () => void;
}) {
  return (
    <button
      type="button"
      aria-expanded={!row.isFolded}
      className="flex h-6 pointer-coarse:h-11 w-full min-w-0 items-center gap-1.5 rounded-chip px-1.5 text-fine text-ink-3 hover:bg-hover"
      onClick={onToggle}
    >
      {row.isFolded ? (
        <ChevronRight size={12} className="flex-none" />
      ) : (
        <ChevronDown size={12} className="flex-none" />
      )}
      <span className="truncate">
        <PathText path={row.path} />
      </span>
    </button>
  );
}

function File({
  row,
  marks,
  comments,
  shown,
  onShow,
}: TreeProps & { readonly row: TreeRow & { kind: "file" } }) {
  const { t } = useTranslation("review");
  const { file, name } = row;
  const mark = marks.markOf(file.path);
  const count = comments.get(file.path) ?? 0;
  const isShown = file.path === shown;
  return (
    <div
      className={`flex h-[26px] pointer-coarse:h-11 min-w-0 items-center gap-1.5 rounded-control pr-1.5 pl-3.5 pointer-coarse:pl-0 text-small ${isShown ? "bg-accent-soft" : "hover:bg-hover"}`}
    >
      <ViewedMark path={file.path} mark={mark} onChange={(viewed) => marks.set(file.path, viewed)} />
      <button
        type="button"
        aria-current={isShown ? "true" : undefined}
        className={`min-w-0 flex-1 self-stretch truncate text-left ${mark === "viewed" ? "text-ink-3" : ""}`}
        title={visibleText(file.path)}
        onClick={() => onShow(file.path)}
      >
        <PathText path={name} />
      </button>
      {count > 0 && (
        <span className="flex flex-none items-center gap-0.5 text-fine text-ink-2 tabular-nums">
          <MessageSquare size={11} aria-hidden="true" />
          {count}
          <span className="visually-hidden">{t("comments", { count })}</span>
        </span>
      )}
      <span className="flex-none text-fine">
        <FileCounts file={file} />
      </span>
    </div>
  );
}

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}
