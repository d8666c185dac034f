/** Decides from the address what the comparison shows: the attempt and the file that have the focus, the panes, the pair. */
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useMemo } from "react";
import { useMedia } from "../../ui/use-media.ts";
import { copyWords, openOutside } from "../attempts/outside.ts";
import type { AttemptColumn } from "./columns.ts";
import { useCompareKeys } from "./compare-keys.ts";
import type { CompareViewProps } from "./compare-view.tsx";
import { type FileRow, fileRows } from "./file-rows.ts";
import { otherMode } from "./other-mode.ts";

interface Comparing {
  readonly focused: AttemptColumn | null;
  readonly rows: readonly FileRow[];
  readonly shown: readonly FileRow[];
  readonly path: string | null;
  /** The place of that file in the list; -1 without a file. */
  readonly at: number;
  readonly panes: readonly AttemptColumn[];
  /** Whom "each other" sets against each other; null with one attempt alone. */
  readonly pair: readonly [AttemptColumn, AttemptColumn] | null;
  readonly onFocus: (letter: string) => void;
  readonly onChoose: (letter: string) => void;
}

export function useComparing(
  props: CompareViewProps & {
    readonly reasonBox: RefObject<HTMLInputElement | null>;
    readonly onChanging: (changing: boolean) => void;
  },
): Comparing {
  const { columns, search, onSearch, document, reasonBox, onChanging } = props;
  const navigate = useNavigate();
  const chosen = document.task.decision?.attempt;
  const focused =
    columns.find(({ letter }) => letter === search.attempt) ??
    columns.find(({ id }) => id === chosen) ??
    columns[0] ??
    null;
  const rows = useMemo(() => fileRows(columns), [columns]);
  const shown = useMemo(
    () => (search.files === "differ" ? rows.filter(({ differs }) => differs) : rows),
    [rows, search.files],
  );
  const at = Math.max(
    shown.findIndex(({ path }) => path === search.file),
    shown.length > 0 ? 0 : -1,
  );
  const panes = usePanes(columns, focused);
  const index = focused === null ? -1 : columns.indexOf(focused);
  const onFocus = (letter: string) => onSearch({ attempt: letter });
  const onChoose = (letter: string) => {
    onSearch({ attempt: letter, take: undefined });
    if (chosen !== undefined) onChanging(true);
    // The box is there once the bar has changed.
    setTimeout(() => reasonBox.current?.focus());
  };
  const focusAt = (place: number) => {
    const column = columns[place];
    if (column !== undefined) onFocus(column.letter);
  };
  useCompareKeys({
    count: columns.length,
    onAttempt: focusAt,
    onStepAttempt: (by) => focusAt(index + by),
    onStepFile: (by) => {
      const row = shown[at + by];
      if (row !== undefined) onSearch({ file: row.path });
    },
    onAgainst: () => onSearch({ against: search.against === "other" ? undefined : "other", mode: undefined }),
    onHideNames: () =>
      chosen === undefined &&
      onSearch({ names: search.names === "hidden" ? undefined : "hidden", attempt: undefined }),
    onLayout: () => onSearch({ mode: otherMode(search) }),
    onSpace: () => onSearch({ space: search.space === "hidden" ? undefined : "hidden" }),
    onHide: (side) => {
      const other = side === "files" ? "diffs" : "files";
      onSearch({ only: search.only === other ? undefined : other });
    },
    onOnlyDiffering: () => onSearch({ files: search.files === "differ" ? undefined : "differ" }),
    onChoose: () => focused !== null && onChoose(focused.letter),
    onReview: () => focused && void navigate({ to: "/attempts/$id/review", params: { id: focused.id } }),
    onShip: () => focused && void navigate({ to: "/attempts/$id/ship", params: { id: focused.id } }),
    onOpen: () => focused && void navigate({ to: "/attempts/$id", params: { id: focused.id } }),
    onOutside: () => focused && openOutside(focused.of),
    onCopy: () => focused && void copyWords(focused.of.attempt.branch),
    onBack: () => void navigate({ to: "/" }),
  });
  return {
    focused,
    rows,
    shown,
    path: shown[at]?.path ?? null,
    at,
    panes,
    pair: pairOf(columns, { focused, letters: search.pair }),
    onFocus,
    onChoose,
  };
}

/** As many neighbours of the focus as the screen has room for. */
function usePanes(
  columns: readonly AttemptColumn[],
  focused: AttemptColumn | null,
): readonly AttemptColumn[] {
  const isWide = useMedia("(min-width: 1280px)");
  const isMiddle = useMedia("(min-width: 640px)");
  const most = isWide ? 4 : isMiddle ? 2 : 1;
  const at = focused === null ? 0 : columns.indexOf(focused);
  const from = Math.max(0, Math.min(at - (most > 2 ? 1 : 0), columns.length - most));
  return useMemo(() => columns.slice(from, from + most), [columns, from, most]);
}

function pairOf(
  columns: readonly AttemptColumn[],
  { focused, letters }: { readonly focused: AttemptColumn | null; readonly letters: string | undefined },
): readonly [AttemptColumn, AttemptColumn] | null {
  const named = letters?.split(",").map((name) => columns.find(({ letter }) => letter === name)) ?? [];
  const [one, other] = named;
  if (one !== undefined && other !== undefined && one !== other) return [one, other];
  const first = columns.find((column) => column !== focused);
  if (focused === null || first === undefined) return null;
  return columns.indexOf(first) < columns.indexOf(focused) ? [first, focused] : [focused, first];
}
