/** The timeline of an attempt, virtual: all its runs, the newest at the end, which it follows. */
import { cleanLine } from "@contract/text.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  memo,
  type RefObject,
  type SyntheticEvent,
  startTransition,
  type UIEvent,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { part } from "../../ui/loaded/part.tsx";
import type { Hit } from "./log-search.tsx";
import type { TimelineRow } from "./rows.ts";
import { ChecksRow, CommitRow, NoteRow, ProofRow, RedCheckRow, StopRow } from "./run-end.tsx";
import { RunHead, RunPrompt } from "./run-head.tsx";
import { useTimelineActs } from "./timeline-acts.ts";
import { ToldRow } from "./told-row.tsx";

interface TimelineProps {
  readonly rows: readonly TimelineRow[];
  readonly isFollowed: boolean;
  readonly onFollow: (isFollowed: boolean) => void;
  /** Each other number brings the end into sight. */
  readonly toEnd: number;
  /** A line that a person looks for; it gets into sight once it is there. */
  readonly target: Hit | null;
  readonly onTarget: (row: TimelineRow) => void;
}

/** Most runs end well. */
const Outcome = part(async () => (await import("./outcome.tsx")).Outcome);

/** What moves so soon after a wheel, a touch or a key was moved by a person. */
const HAND_MS = 500;
/** Nearer to the end than that counts as the end. */
const NEAR_PX = 48;

export function Timeline({ rows, isFollowed, onFollow, toEnd, target, onTarget }: TimelineProps) {
  const { t } = useTranslation("timeline");
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? "told"] ?? LINE_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    // At the end nothing comes after what is in sight, and each line that arrives draws the rest anew.
    overscan: isFollowed ? 2 : 6,
    anchorTo: "end",
    followOnAppend: isFollowed,
    scrollEndThreshold: NEAR_PX,
    paddingEnd: 12,
    initialOffset: Number.MAX_SAFE_INTEGER,
  });
  const items = virtual.getVirtualItems();
  /** Who has just left the end is not brought back, although the rows do not know it yet. */
  const leftAt = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows, and a person who asks, bring it to the end.
  useLayoutEffect(() => {
    if (isFollowed && leftAt.current !== toEnd) virtual.scrollToEnd();
  }, [rows, isFollowed, toEnd]);
  useEffect(() => {
    const index = target === null ? -1 : indexOfLine(rows, target);
    const row = rows[index];
    if (row === undefined) return;
    virtual.scrollToIndex(index, { align: "center" });
    onTarget(row);
  }, [target, rows, virtual, onTarget]);
  const leaving = useLeaving({ onFollow, leftAt, toEnd });
  return (
    <div
      ref={scroller}
      role="feed"
      aria-label={t("title")}
      aria-busy={rows.some(({ kind }) => kind === "loading")}
      data-timeline=""
      className="min-h-24 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 [contain:layout_paint_style] short:overscroll-auto"
      {...leaving}
    >
      <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
        <div
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
        >
          {items.map((item) => (
            <Item
              key={item.key}
              index={item.index}
              row={rows[item.index]}
              isFollowed={isFollowed && rows[item.index]?.kind === "more"}
              measure={virtual.measureElement}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The last row that begins at the line or before it; -1 if its part of the log is not there. */
function indexOfLine(rows: readonly TimelineRow[], { run, n }: Hit): number {
  return rows.findLastIndex(
    (row) =>
      row.run.id === run &&
      ((row.kind === "told" && row.told.n <= n) || (row.kind === "raw" && row.line.n <= n)),
  );
}

/**
 * A person who scrolls up leaves the end; rows that come and go do not. Who scrolls down to it follows again. Leaving
 * draws more rows and reads older ones, which is not to hold up the scrolling itself.
 */
function useLeaving(props: {
  readonly onFollow: (isFollowed: boolean) => void;
  readonly leftAt: RefObject<number | null>;
  readonly toEnd: number;
}) {
  const { onFollow, leftAt, toEnd } = props;
  const lastTop = useRef(0);
  /** The clock of events begins with the page, whose parts move while they come. */
  const handAt = useRef(Number.NEGATIVE_INFINITY);
  const byHand = ({ timeStamp }: SyntheticEvent) => {
    handAt.current = timeStamp;
  };
  return {
    onWheel: byHand,
    onTouchMove: byHand,
    onPointerDown: byHand,
    onKeyDown: byHand,
    onScroll: ({ currentTarget, timeStamp }: UIEvent<HTMLElement>) => {
      const { scrollTop, scrollHeight, clientHeight } = currentTarget;
      const step = scrollTop - lastTop.current;
      lastTop.current = scrollTop;
      if (step < 0 && timeStamp - handAt.current < HAND_MS) {
        leftAt.current = toEnd;
        startTransition(() => onFollow(false));
      }
      if (step > 0 && scrollHeight - scrollTop - clientHeight < NEAR_PX) {
        leftAt.current = null;
        onFollow(true);
      }
    },
  };
}

/** Of a row of one line. Each wrong guess moves all that is below the row, so it is to be exact. */
const LINE_PX = 22;
const HEIGHTS: Readonly<Partial<Record<TimelineRow["kind"], number>>> = {
  head: 40,
  prompt: 56,
  raw: 17,
  stop: 40,
  check: 140,
  outcome: 140,
};

/** Scrolling draws the list anew for each step, and its rows stay as they are. */
const Item = memo(function Item(props: {
  readonly index: number;
  readonly row: TimelineRow | undefined;
  readonly isFollowed: boolean;
  readonly measure: (node: Element | null) => void;
}) {
  const { row, index } = props;
  if (row === undefined) return null;
  return (
    <article
      ref={props.measure}
      data-index={index}
      data-event={row.kind}
      aria-posinset={index + 1}
      aria-setsize={-1}
      tabIndex={-1}
      className="outline-offset-[-2px]"
    >
      <RowOf row={row} isFollowed={props.isFollowed} />
    </article>
  );
});

function RowOf({ row, isFollowed }: { readonly row: TimelineRow; readonly isFollowed: boolean }) {
  const { t } = useTranslation("timeline");
  const acts = useTimelineActs();
  const { run } = row;
  switch (row.kind) {
    case "head":
      return <RunHead run={run} />;
    case "prompt":
      return <RunPrompt run={run} isFirst={run.number === 1} />;
    case "closed":
      return <Quiet onPress={() => acts.openLog(run.id)} words={t("showLog")} />;
    case "loading":
      return <p className="px-3 py-1 text-small text-ink-3">{t("loading", { ns: "shell" })}</p>;
    case "more":
      return <More row={row} isFollowed={isFollowed} />;
    case "new":
      return <NewMark at={row.at} />;
    case "told":
      return (
        <div className={row.isInner ? "pl-4" : ""}>
          <ToldRow
            told={row.told}
            live={row.isLast ? run : null}
            rowKey={row.key}
            isOpen={acts.isGroupOpen(row.key)}
            onToggle={acts.toggleGroup}
          />
        </div>
      );
    case "raw":
      return (
        <code className="flex gap-2 px-3 text-[10.5px] leading-[17px]">
          <span className="w-12 flex-none text-right text-ink-3 tabular-nums">{row.line.n}</span>
          <span className="w-12 flex-none text-ink-3">{row.line.source}</span>
          <bdi className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {cleanLine(JSON.stringify(row.line.event))}
          </bdi>
        </code>
      );
    case "proof":
      return <ProofRow run={run} />;
    case "checks":
      return <ChecksRow run={run} checks={row.checks} />;
    case "check":
      return <RedCheckRow run={run} check={row.check} />;
    case "commit":
      return <CommitRow run={run} />;
    case "note":
      return <NoteRow message={row.message} code={row.code} />;
    case "stop":
      return <StopRow run={run} />;
    case "outcome":
      return <Outcome run={run} />;
  }
}

/** Reads on when it comes near what is in sight. Who follows the end does not look for older events. */
function More(props: {
  readonly row: Extract<TimelineRow, { readonly kind: "more" }>;
  readonly isFollowed: boolean;
}) {
  const { t } = useTranslation("timeline");
  const { readMore } = useTimelineActs();
  const { run, where, count, at } = props.row;
  const isWanted = where === "newer" || !props.isFollowed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page its place is another one.
  useEffect(() => {
    if (isWanted) readMore(run.id, where);
  }, [isWanted, run.id, where, at]);
  return (
    <Quiet
      onPress={() => readMore(run.id, where)}
      words={where === "newer" ? t("later") : t("earlier", { count })}
    />
  );
}

function Quiet({ words, onPress }: { readonly words: string; readonly onPress: () => void }) {
  return (
    <div className="px-3 py-0.5">
      <button type="button" onClick={onPress} className="text-small text-accent hover:underline">
        {words}
      </button>
    </div>
  );
}

function NewMark({ at }: { readonly at: string | null }) {
  const { t } = useTranslation("timeline");
  const { clock } = useFormat();
  return (
    <div className="flex items-center gap-2 px-3 py-1.5 text-fine text-accent">
      <span className="h-px flex-1 bg-accent/50" aria-hidden="true" />
      {at === null ? t("newSinceUnknown") : t("newSince", { time: clock(at) })}
      <span className="h-px flex-1 bg-accent/50" aria-hidden="true" />
    </div>
  );
}
