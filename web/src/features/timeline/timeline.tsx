/** The timeline of an attempt, virtual: all its runs, the newest at the end, which it follows. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type RefObject, startTransition, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { Hit } from "./log-search.tsx";
import type { TimelineRow } from "./rows.ts";
import { RowOf } from "./timeline-row.tsx";
import { type Heading, useHand } from "./use-heading.ts";

interface TimelineProps {
  readonly rows: readonly TimelineRow[];
  readonly isFollowed: boolean;
  readonly onFollow: (isFollowed: boolean) => void;
  /** Each other number brings the end into sight. */
  readonly toEnd: number;
  /** A line that a person looks for; it gets into sight once it is there. */
  readonly target: Hit | null;
  readonly onTarget: (row: TimelineRow) => void;
  readonly heading: Heading;
}

/** Nearer to the end than that counts as the end. */
const NEAR_PX = 48;

export function Timeline(props: TimelineProps) {
  const { rows, isFollowed, onFollow, toEnd, target, onTarget, heading } = props;
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
  // If all rows are in sight, the browser does not scroll, and tells nothing of the offset that it refused.
  useLayoutEffect(() => {
    virtual.scrollOffset = scroller.current?.scrollTop ?? null;
  }, [virtual]);
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
  const shown = items.map(({ index }) => index);
  const leaving = useLeaving({ rows, shown, onFollow, leftAt, toEnd, heading });
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
              beside={besideOf(rows, item.index)}
              heading={heading}
              measure={virtual.measureElement}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Null for a row that reads nothing. */
function besideOf(rows: readonly TimelineRow[], index: number): string | null {
  const row = rows[index];
  if (row?.kind !== "more") return null;
  return rows[row.where === "older" ? index + 1 : index - 1]?.key ?? null;
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
 * A person who pushes up leaves the end; rows that come and go do not. Who comes down to it follows again. Leaving draws
 * more rows and reads older ones, which is not to hold up the scrolling itself.
 */
function useLeaving(props: LeavingProps) {
  const { rows, shown, onFollow, leftAt, toEnd, heading } = props;
  const isMore = (row: TimelineRow | undefined, where: "older" | "newer") =>
    row?.kind === "more" && row.where === where;
  const leave = () => {
    leftAt.current = toEnd;
    startTransition(() => onFollow(false));
  };
  const follow = () => {
    leftAt.current = null;
    heading.rest();
    onFollow(true);
  };
  return useHand({
    onPush: (where, { isMoved, toEnd: rest }) => {
      if (where === "older") {
        // Where all is in sight and nothing is older, there is nothing to go to.
        if (!isMoved && !rows.some((row) => isMore(row, "older"))) return;
        leave();
      } else if (rest < NEAR_PX && !shown.some((index) => isMore(rows[index], "newer"))) return follow();
      heading.push(where);
    },
  });
}

interface LeavingProps {
  readonly rows: readonly TimelineRow[];
  /** The rows that are drawn. */
  readonly shown: readonly number[];
  readonly onFollow: (isFollowed: boolean) => void;
  readonly leftAt: RefObject<number | null>;
  readonly toEnd: number;
  readonly heading: Heading;
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
  /** Of a row that reads on: the key of the row that its next page comes next to. Null for others. */
  readonly beside: string | null;
  readonly heading: Heading;
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
      <RowOf row={row} beside={props.beside} heading={props.heading} />
    </article>
  );
});
