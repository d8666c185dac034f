/** The left side of an attempt: what the timeline shows, its rows, and its keys. */
import type { AttemptDocument, RunDocument } from "@contract/task-document.ts";
import { needsNames } from "@contract/words/actor-words.ts";
import { replaceEqualDeep, useQueries, useQueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { tellProblem } from "../../ui/toast.tsx";
import { useKeys } from "../keys/keys.ts";
import { ForkDialog } from "./fork-dialog.tsx";
import { type LogWindow, lacksEnd } from "./log/log-window.ts";
import type { Told } from "./log/tell-log.ts";
import { logQuery, readAround, readMore, useLiveLog } from "./log/use-run-log.ts";
import { type Hit, LogSearch } from "./log-search.tsx";
import { isWorking, rowsOf, type TimelineRow, type TimelineView, withToggled } from "./rows.ts";
import { SentNote } from "./sent-note.tsx";
import { Timeline } from "./timeline.tsx";
import { type TimelineActs, TimelineActsProvider } from "./timeline-acts.ts";
import { useHeading } from "./use-heading.ts";
import { useLooked } from "./use-looked.ts";

/** The logs of so many of the newest runs are read at once; those of others when a person asks. */
const OPEN_RUNS = 2;

interface TimelinePanelProps {
  readonly attempt: AttemptDocument;
  /** The folder of its repository. */
  readonly repository: string;
  readonly view: TimelineView;
  readonly onView: (view: TimelineView) => void;
  readonly onShowDiff: (run: string) => void;
  readonly onWrite: (words: string) => void;
}

export function TimelinePanel(props: TimelinePanelProps) {
  const { attempt, view } = props;
  const { t } = useTranslation("timeline");
  const [isFollowed, setFollowed] = useState(true);
  const [asked, setAsked] = useState(0);
  /** It stands here, since rows that get far from sight go with all that they hold. */
  const [forked, setForked] = useState<{ readonly run: RunDocument | null } | null>(null);
  const onFork = (run: RunDocument | null) => setForked({ run });
  const { logs: held, acts, openGroups } = useOpenLogs(props, { isFollowed, onFork });
  // Lines that arrive ten times a second are drawn between what a person does.
  const logs = useDeferredValue(held);
  const looked = useLooked(attempt, logs);
  const rows = useKeptRows(
    useMemo(
      () => rowsOf({ runs: attempt.runs, logs, view, worktree: attempt.worktree, openGroups, looked }),
      [attempt.runs, attempt.worktree, logs, view, openGroups, looked],
    ),
  );
  const client = useQueryClient();
  const heading = useHeading();
  const follow = () => {
    heading.rest();
    for (const [run, window] of logs)
      if (window?.isAtEnd === false) void client.invalidateQueries({ queryKey: logQuery(run).queryKey });
    setFollowed(true);
    setAsked((count) => count + 1);
  };
  const { target, isSearching, setSearching, go, onTarget } = useSearching(acts, () => setFollowed(false));
  useTimelineKeys({
    onSearch: () => setSearching(true),
    view,
    onView: props.onView,
    onFollow: follow,
    onStep: (by) => {
      if (by < 0) setFollowed(false);
      stepEvent(by);
      heading.push(by < 0 ? "older" : "newer");
    },
  });
  return (
    <TimelineActsProvider value={acts}>
      <div className="flex min-h-9 flex-none items-center gap-2 border-b border-line px-3 pointer-coarse:min-h-14">
        <h2 className="text-body max-lg:sr-only">{t("title")}</h2>
        <Segmented
          label={t("view")}
          value={view}
          options={VIEWS.map((value) => ({ value, words: t(value) }))}
          onChange={props.onView}
        />
        <span className="ml-auto flex gap-1">
          <Button
            kind="quiet"
            size="small"
            label={t("searchLabel")}
            icon={<Search size={16} />}
            aria-pressed={isSearching}
            onClick={() => setSearching(!isSearching)}
          />
          <Button
            kind={isFollowed ? "plain" : "quiet"}
            size="small"
            keySpec="f"
            aria-pressed={isFollowed}
            onClick={follow}
          >
            {isFollowed ? t("following") : t("follow")}
          </Button>
        </span>
      </div>
      <SentNote logs={logs} />
      {isSearching ? (
        <LogSearch
          runs={attempt.runs}
          worktree={attempt.worktree}
          onGo={(hit) => void go(hit)}
          onClose={() => setSearching(false)}
        />
      ) : (
        <Timeline
          rows={rows}
          isFollowed={isFollowed}
          onFollow={setFollowed}
          toEnd={asked}
          target={target}
          onTarget={onTarget}
          heading={heading}
        />
      )}
      {forked !== null && <ForkDialog run={forked.run} onClose={() => setForked(null)} />}
    </TimelineActsProvider>
  );
}

/** A row that says the same as before stays the same object, so that it is not drawn anew. */
function useKeptRows(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  const before = useRef<ReadonlyMap<string, TimelineRow>>(new Map());
  const kept = useMemo(() => rows.map((row) => keptRow(before.current.get(row.key), row)), [rows]);
  useEffect(() => {
    before.current = new Map(kept.map((row) => [row.key, row]));
  }, [kept]);
  return kept;
}

function keptRow(held: TimelineRow | undefined, row: TimelineRow): TimelineRow {
  if (held === undefined) return row;
  const isTold = held.kind === "told" && row.kind === "told";
  const now = isTold ? { ...row, told: replaceEqualDeep<Told>(held.told, row.told) } : row;
  const had = new Map<string, unknown>(Object.entries(held));
  return Object.entries(now).every(([name, value]) => had.get(name) === value) ? held : now;
}

/** A hit of the search is read, opened and brought into sight. */
function useSearching(acts: TimelineActs, leaveEnd: () => void) {
  const client = useQueryClient();
  const [isSearching, setSearching] = useState(false);
  const [target, setTarget] = useState<Hit | null>(null);
  const { toggleGroup } = acts;
  const go = async (hit: Hit) => {
    await readAround(client, hit.run, hit.n).catch(tellProblem);
    acts.openLog(hit.run);
    leaveEnd();
    setSearching(false);
    setTarget(hit);
  };
  const onTarget = (row: TimelineRow) => {
    setTarget(null);
    if (row.kind === "told" && row.told.kind === "group" && !row.isOpen)
      toggleGroup(row.run.id, row.told.calls);
  };
  return { target, isSearching, setSearching, go, onTarget };
}

const VIEWS = ["all", "talk", "raw"] as const satisfies readonly TimelineView[];

/** The logs of the newest runs, and those that a person opened. */
function useOpenLogs(
  props: TimelinePanelProps,
  {
    isFollowed,
    onFork,
  }: { readonly isFollowed: boolean; readonly onFork: (run: RunDocument | null) => void },
) {
  const { attempt, repository, onShowDiff, onWrite } = props;
  const client = useQueryClient();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [openGroups, setOpenGroups] = useState<ReadonlySet<string>>(new Set());
  const toggleGroup = useCallback<TimelineActs["toggleGroup"]>(
    (run, calls) => setOpenGroups((known) => withToggled(known, run, calls)),
    [],
  );
  const begun = attempt.runs.filter(({ started_at }) => started_at !== null);
  const newest = new Set(begun.slice(-OPEN_RUNS).map(({ id }) => id));
  const open = begun.filter(({ id }) => newest.has(id) || opened.has(id));
  const logs = useWindows(open);
  useLiveLog(liveRun(open), { isFollowed });
  const unread = open.filter((run) => lacksEnd(logs.get(run.id), run)).map(({ id }) => id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the list.
  useEffect(() => {
    for (const run of unread) void readMore(client, run, "newer");
  }, [client, unread.join(" ")]);
  const isNamed = needsNames(attempt.runs.flatMap(({ actor, stopped_by }) => [actor, stopped_by]));
  const screen = useRef({ onShowDiff, onWrite, onFork });
  screen.current = { onShowDiff, onWrite, onFork };
  // All rows are drawn anew when these change.
  const acts = useMemo<TimelineActs>(
    () => ({
      attempt: attempt.id,
      repository,
      agent: attempt.agent,
      isNamed,
      showDiff: (run) => screen.current.onShowDiff(run),
      write: (words) => screen.current.onWrite(words),
      fork: (run) => screen.current.onFork(run),
      openLog: (run) => setOpened((known) => new Set(known).add(run)),
      readMore: (run, where) => void readMore(client, run, where),
      toggleGroup,
    }),
    [attempt.id, attempt.agent, isNamed, repository, client, toggleGroup],
  );
  return { logs, acts, openGroups };
}

/** What is held of the log of each run; null while it is read. The same map until one of them changes. */
function useWindows(runs: readonly RunDocument[]): ReadonlyMap<string, LogWindow | null> {
  const ids = runs.map(({ id }) => id).join(" ");
  const combine = useCallback(
    (results: readonly { readonly data: LogWindow | undefined }[]) =>
      new Map(results.map(({ data }, index) => [ids.split(" ")[index] ?? "", data ?? null])),
    [ids],
  );
  return useQueries({ queries: runs.map(({ id }) => logQuery(id)), combine });
}

const liveRun = (runs: readonly RunDocument[]) => runs.findLast(isWorking)?.id ?? null;

function useTimelineKeys(options: {
  readonly view: TimelineView;
  readonly onView: (view: TimelineView) => void;
  readonly onFollow: () => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onSearch: () => void;
}): void {
  const { t } = useTranslation("keys");
  const next = VIEWS[(VIEWS.indexOf(options.view) + 1) % VIEWS.length] ?? "all";
  useKeys([
    { spec: "j", words: t("event"), run: () => options.onStep(1) },
    { spec: "k", words: t("event"), run: () => options.onStep(-1) },
    { spec: "enter", words: t("open"), run: openEvent },
    { spec: "/", words: t("search"), run: options.onSearch },
    { spec: "f", words: t("follow"), run: options.onFollow },
    { spec: "t", words: t("timelineFilter"), run: () => options.onView(next) },
  ]);
}

/** Moves the focus to the next event; without one, to the last that is in sight. */
function stepEvent(by: 1 | -1): void {
  const focused = document.activeElement?.closest<HTMLElement>("[data-event]");
  const events = [...document.querySelectorAll<HTMLElement>("[data-timeline] [data-event]")];
  const index = focused === null || focused === undefined ? -1 : events.indexOf(focused);
  const next = index < 0 ? events.at(-1) : events[index + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

/** Unfolds what has the focus, or folds it again. */
function openEvent(): void {
  const event = document.activeElement?.closest<HTMLElement>("[data-event]");
  event?.querySelector<HTMLElement>("button[aria-expanded]")?.click();
}
