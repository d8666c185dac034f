/** The changed files above a diff, in two columns; a press goes to the file. Of a long list only what is in sight exists. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { PathText } from "../../ui/text/path-text.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { FileCounts } from "../diff/file/file-counts.tsx";
import { changeWord } from "../diff/patch/file-kind.ts";

const ROW = 24;
const MOST_ROWS = 5;
/** For a finger; half a row tells that there are more. */
const TOUCH = { row: 44, most: 2.5 };

export function FileStrip(props: {
  readonly files: readonly DiffFile[];
  /** The file in sight. */
  readonly shown: string | null;
  readonly onShow: (path: string) => void;
}) {
  const { files, shown, onShow } = props;
  const { t } = useTranslation("patch");
  const scroller = useRef<HTMLUListElement>(null);
  const columns = useMedia("(min-width: 1280px)") ? 2 : 1;
  const rows = Math.ceil(files.length / columns);
  const { row, most } = useMedia("(pointer: coarse)") ? TOUCH : { row: ROW, most: MOST_ROWS };
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => row,
    overscan: 4,
  });
  const height = Math.min(rows, most) * row;
  return (
    <div className="flex-none border-b border-line px-2 py-1">
      <ul ref={scroller} aria-label={t("fileList")} className="overflow-y-auto" style={{ height }}>
        <li className="relative block" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <span
              key={index}
              className="absolute inset-x-0 grid gap-x-3 xl:grid-cols-2"
              style={{ transform: `translateY(${start}px)` }}
            >
              {files.slice(index * columns, (index + 1) * columns).map((file) => (
                <FileButton key={file.path} file={file} isShown={file.path === shown} onShow={onShow} />
              ))}
            </span>
          ))}
        </li>
      </ul>
    </div>
  );
}

function FileButton(props: {
  readonly file: DiffFile;
  readonly isShown: boolean;
  readonly onShow: (path: string) => void;
}) {
  const { file, isShown, onShow } = props;
  const { t } = useTranslation("diff");
  const word = changeWord(file.status);
  return (
    <button
      type="button"
      aria-current={isShown || undefined}
      onClick={() => onShow(file.path)}
      className={`-outline-offset-2 flex h-6 min-w-0 items-center gap-2 rounded-chip pointer-coarse:h-11 px-2 text-left text-small ${isShown ? "bg-accent-soft" : "hover:bg-hover"}`}
    >
      <code aria-hidden="true" className={`w-3 flex-none text-fine ${COLOURS[word] ?? "text-ink-3"}`}>
        {LETTERS[word] ?? "M"}
      </code>
      <span className="min-w-0 flex-1 truncate">
        <PathText path={file.path} />
      </span>
      <span className="visually-hidden">{t(word)}</span>
      <span className="text-fine">
        <FileCounts file={file} />
      </span>
    </button>
  );
}

const LETTERS: Readonly<Partial<Record<ReturnType<typeof changeWord>, string>>> = {
  added: "A",
  deleted: "D",
  renamed: "R",
  copied: "C",
  typeChanged: "T",
  unmerged: "U",
};

const COLOURS: Readonly<Partial<Record<ReturnType<typeof changeWord>, string>>> = {
  added: "text-add-ink",
  deleted: "text-del-ink",
  unmerged: "text-needs-ink",
};
