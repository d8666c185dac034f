/** Lays a review out: the files, the diff with its comments, and what will be sent. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import type { AttemptDocument } from "@contract/task-document.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { usePanelWidths } from "../../ui/panels/panel-handle.tsx";
import { useMedia } from "../../ui/use-media.ts";
import type { ShownAttempt } from "../attempts/use-attempt.ts";
import { Diff, useDiffFiles } from "../diff/diff.tsx";
import type { DiffHandle } from "../diff/handle.ts";
import { commentsQuery } from "./comments/comments.ts";
import { DraftsList } from "./comments/drafts-list.tsx";
import { placedThreads, threadsOf } from "./comments/threads.ts";
import { useAnnotations, useComposing } from "./comments/use-annotations.tsx";
import { usePicked } from "./comments/use-picked.ts";
import { type Compared, comparedOf, isNewsAfter, sidesWithComments, sourceOf } from "./compared.ts";
import { Evidence, ShowOptions } from "./evidence.tsx";
import { FileTree } from "./files/file-tree.tsx";
import { byFolder } from "./files/tree.ts";
import { ViewedMark } from "./files/viewed-mark.tsx";
import { useViewedMarks, type ViewedMarks } from "./files/viewed-marks.ts";
import { ReviewActions } from "./review-actions.tsx";
import { ReviewBar } from "./review-bar.tsx";
import { Handles, type Panel, Tabs, usePanels, WIDTHS } from "./review-panels.tsx";
import type { ReviewSearch, SetSearch } from "./review-search.ts";
import { SendForm } from "./send-form.tsx";
import { useReviewActs } from "./use-review-acts.ts";

const NO_COMMENTS: readonly never[] = [];

interface ReviewProps {
  readonly found: ShownAttempt;
  readonly search: ReviewSearch;
  readonly onSearch: SetSearch;
}

export function ReviewView({ found: { shown }, search, onSearch }: ReviewProps) {
  const { t } = useTranslation("review");
  const { attempt } = shown;
  const diff = useRef<DiffHandle>(null);
  const handle = useCallback(() => diff.current, []);
  const form = useRef<HTMLFormElement>(null);
  const marks = useViewedMarks(attempt.id);
  const { data: comments = NO_COMMENTS } = useQuery(commentsQuery(attempt.id));
  const compared = useCompared(attempt, search, marks);
  const read = useDiffFiles(sourceOf(attempt.id, compared));
  const files = useMemo(() => byFolder(read.files), [read.files]);
  const list = { ...read, files };
  const [atTop, setAtTop] = useState<string | null>(null);
  const [shownComment, setShownComment] = useState<string | null>(null);
  const picked = usePicked();
  const isWide = useMedia("(min-width: 1024px)");
  const layout = isWide ? (search.mode ?? "unified") : "unified";
  const hideSpace = search.space === "hidden";
  const composing = useComposing(attempt.id, handle);
  const numberOf = (run: string) => attempt.runs.find(({ id }) => id === run)?.number ?? null;
  const sides = sidesWithComments(attempt, compared);
  const annotations = useAnnotations({ shown, comments, sides, picked, numberOf, composing });
  const threads = useMemo(
    () =>
      threadsOf(
        comments,
        files.map(({ path }) => path),
      ),
    [comments, files],
  );
  const forge = placedThreads(attempt.pull_request?.open_threads ?? []);
  const chosen = {
    comments: [...threads.drafts, ...threads.open.filter(({ id }) => picked.has(id))].map(({ id }) => id),
    threads: forge.filter(({ id }) => picked.has(id)).map(({ id }) => id),
  };
  const file = files.find(({ path }) => path === atTop) ?? files[0] ?? null;
  const isNews = marks.seenRun !== null && isNewsAfter(attempt, marks.seenRun);
  const panels = usePanels();
  const widths = usePanelWidths("review", WIDTHS);
  const acts = useReviewActs({
    shown,
    handle,
    form,
    files,
    file,
    marks,
    comments,
    compared,
    layout,
    hideSpace,
    shownComment,
    onSearch,
    onShownComment: setShownComment,
    onCompose: composing.open,
    onPanel: panels.toggle,
  });
  useGoTo(search, handle);
  useFirstNotViewed({ search, files, marks, handle });
  const headerActs = useCallback(
    ({ path }: { readonly path: string }) => (
      <ViewedMark
        path={path}
        mark={marks.markOf(path)}
        withWords
        onChange={(viewed) => marks.set(path, viewed)}
      />
    ),
    [marks],
  );
  const counts = useMemo(() => {
    const all = new Map<string, number>();
    for (const { path, state } of comments) if (state !== "resolved") all.set(path, (all.get(path) ?? 0) + 1);
    return all;
  }, [comments]);
  const hidden = (panel: Panel) => (panels.tab === panel ? "" : "max-lg:hidden");
  return (
    <div
      style={widths}
      className={`relative grid min-h-0 flex-1 max-lg:grid-rows-[auto_minmax(0,1fr)] ${panels.columns}`}
    >
      <Tabs tab={panels.tab} drafts={chosen.comments.length} onTab={panels.setTab} />
      <div
        className={`flex min-h-0 min-w-0 flex-col border-line lg:border-r ${hidden("files")} ${panels.files ? "" : "lg:hidden"}`}
      >
        <FileTree
          files={files}
          marks={marks}
          comments={counts}
          shown={file?.path ?? null}
          onShow={(path) => {
            panels.setTab("changes");
            diff.current?.show({ path });
          }}
        />
        <Evidence shown={shown} isReady={files.length > 0} />
        <ShowOptions
          hideSpace={hideSpace}
          onHideSpace={acts.toggleSpace}
          onlySince={isNews ? compared.kind === "since" : null}
          onOnlySince={(only) =>
            onSearch({ since: only ? (marks.seenRun ?? undefined) : "base", run: undefined })
          }
        />
      </div>
      <div className={`flex min-h-0 min-w-0 flex-col ${hidden("changes")}`}>
        <ReviewBar
          attempt={attempt}
          file={file}
          at={file === null ? 0 : files.indexOf(file) + 1}
          all={files.length}
          compared={compared}
          seen={marks.seenRun}
          onCompare={({ since, run }) => onSearch({ since, run })}
          layout={isWide ? layout : null}
          onLayout={(mode) => onSearch({ mode: mode === "split" ? "split" : undefined })}
          onViewed={acts.viewed}
          onStep={(step) => diff.current?.moveFile(step)}
        />
        <Diff
          ref={diff}
          whenEmpty={attempt.commit === null ? t("notCommitted", { ns: "patch" }) : undefined}
          source={sourceOf(attempt.id, compared)}
          list={list}
          layout={layout}
          hideSpace={hideSpace}
          annotations={annotations}
          commentsOn={sides}
          onComment={composing.open}
          headerActs={headerActs}
          onFile={setAtTop}
          wholePatch={`/api/v1/attempts/${attempt.id}/patch`}
        />
      </div>
      <aside
        aria-label={t("drafts")}
        className={`flex min-h-0 min-w-0 flex-col border-line xl:border-l ${hidden("drafts")} ${panels.drafts ? "lg:max-xl:absolute lg:max-xl:inset-y-0 lg:max-xl:right-0 lg:max-xl:z-10 lg:max-xl:w-[292px] lg:max-xl:border-l lg:max-xl:bg-canvas lg:max-xl:shadow-3" : "lg:hidden"}`}
      >
        <DraftsList
          threads={threads}
          shown={shownComment}
          numberOf={numberOf}
          onShow={(comment) => {
            panels.setTab("changes");
            acts.showComment(comment);
          }}
        />
        <SendForm shown={shown} chosen={chosen} form={form} onSent={picked.clear} />
      </aside>
      <Handles {...panels} />
      <ReviewActions handle={handle} acts={acts} />
    </div>
  );
}

/** What the address leaves open is settled once, so that nothing else comes into sight while a person reads. */
function useCompared(attempt: AttemptDocument, { since, run }: ReviewSearch, marks: ViewedMarks): Compared {
  const first = useRef<string | undefined>(undefined);
  const open = comparedOf(attempt, { since: undefined, run: undefined, seen: marks.seenRun });
  if (first.current === undefined && marks.isKnown) first.current = open.kind === "since" ? open.run : "base";
  return comparedOf(attempt, {
    run,
    since: since ?? (run === undefined ? first.current : undefined),
    seen: marks.seenRun,
  });
}

/** The place that the address names. */
function useGoTo({ file, line }: ReviewSearch, handle: () => DiffHandle | null): void {
  const isDone = useRef<string | null>(null);
  useEffect(() => {
    const name = `${file} ${line}`;
    const diff = handle();
    if (file === undefined || diff === null || isDone.current === name) return;
    isDone.current = name;
    diff.show(line === undefined ? { path: file } : { path: file, line: Number(line) });
  });
}

/** Without a place in the address, a review begins at the first file that was not viewed. */
function useFirstNotViewed(of: {
  readonly search: ReviewSearch;
  readonly files: readonly DiffFile[];
  readonly marks: ViewedMarks;
  readonly handle: () => DiffHandle | null;
}): void {
  const { search, files, marks, handle } = of;
  const isDone = useRef(false);
  useEffect(() => {
    const diff = handle();
    if (isDone.current || diff === null || !marks.isKnown || files.length === 0) return;
    isDone.current = true;
    const at = files.findIndex(({ path }) => marks.markOf(path) !== "viewed");
    const first = files[at];
    if (search.file === undefined && at > 0 && first !== undefined) diff.show({ path: first.path });
  });
}
