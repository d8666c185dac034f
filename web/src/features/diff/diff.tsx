/** The diff view as screens use it: it is loaded when the first one is shown, and says so if nothing is changed. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { useInfiniteQuery, usePrefetchInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { part } from "../../ui/loaded/part.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import type { DiffViewProps } from "./diff-view.tsx";
import { type DiffSource, filesQuery } from "./patch/source.ts";

const View = part(async () => (await import("./fitting-view.tsx")).default);

/** Reads the list of files, and loads the view, while the screen still reads what else it needs. */
export function useEarlyDiff(source: DiffSource): void {
  usePrefetchInfiniteQuery(filesQuery(source));
  useEffect(() => void View.load(), []);
}

interface FileList {
  readonly files: readonly DiffFile[];
  /** No more are on their way. */
  readonly isWhole: boolean;
  readonly error: unknown;
}

/** The files of a diff. The rest of a long list follows by itself. */
export function useDiffFiles(source: DiffSource): FileList {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(filesQuery(source));
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const files = useMemo(() => data?.pages.flatMap((page) => page.files) ?? [], [data]);
  return { files, isWhole: data !== undefined && !hasNextPage, error: data === undefined ? error : null };
}

interface DiffProps extends Omit<DiffViewProps, "files"> {
  readonly list: FileList;
  /** What an empty list means, if not that nothing is changed. */
  readonly whenEmpty?: string | undefined;
}

export function Diff({ list, whenEmpty, ...props }: DiffProps) {
  const { t } = useTranslation("diff");
  if (list.error !== null)
    return (
      <div className="p-4">
        <ProblemNote error={list.error} />
      </div>
    );
  if (list.files.length === 0)
    return (
      <p className="m-auto p-6 text-small text-ink-2">
        {list.isWhole ? (whenEmpty ?? t("nothing")) : t("loading")}
      </p>
    );
  return (
    <View
      waiting={<p className="m-auto p-6 text-small text-ink-3">{t("loading")}</p>}
      {...props}
      files={list.files}
    />
  );
}
