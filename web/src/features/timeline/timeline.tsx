/** The timeline of an attempt, virtual: all its runs, the newest at the end, which it follows. */
import { cleanLine } from "@contract/text.ts";
import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../i18n/format.ts";
import { Outcome } from "./outcome.tsx";
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
}

/** Nearer to the end than that counts as the end. */
const NEAR_PX = 48;

export function Timeline({ rows, isFollowed, onFollow, toEnd }: TimelineProps) {
  const { t } = useTranslation("timeline");
  const scroller = useRef<HTMLDivElement>(null);
  /** Only who scrolls up leaves the end; rows that grow do not. */
  const lastTop = useRef(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? "told"] ?? 24,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    anchorTo: "end",
    followOnAppend: isFollowed,
    scrollEndThreshold: NEAR_PX,
    paddingEnd: 12,
    initialOffset: Number.MAX_SAFE_INTEGER,
  });
  const items = virtual.getVirtualItems();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number asks for it, not the list.
  useEffect(() => {
    if (toEnd > 0) virtual.scrollToIndex(rows.length - 1, { align: "end" });
  }, [toEnd]);
  return (
    <div
      ref={scroller}
      role="feed"
      aria-label={t("title")}
      aria-busy={rows.some(({ kind }) => kind === "loading")}
      data-timeline=""
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain"
      onScroll={({ currentTarget }) => {
        const { scrollTop, scrollHeight, clientHeight } = currentTarget;
        if (scrollHeight - scrollTop - clientHeight < NEAR_PX) onFollow(true);
        else if (scrollTop < lastTop.current) onFollow(false);
        lastTop.current = scrollTop;
      }}
    >
      <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
        <div
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
        >
          {items.map((item) => (
            <Item key={item.key} item={item} row={rows[item.index]} measure={virtual.measureElement} />
          ))}
        </div>
      </div>
    </div>
  );
}

const HEIGHTS: Readonly<Partial<Record<TimelineRow["kind"], number>>> = {
  head: 40,
  prompt: 56,
  check: 140,
  outcome: 140,
};

function Item(props: {
  readonly item: VirtualItem;
  readonly row: TimelineRow | undefined;
  readonly measure: (node: Element | null) => void;
}) {
  const { row, item } = props;
  if (row === undefined) return null;
  return (
    <article
      ref={props.measure}
      data-index={item.index}
      data-event={row.kind}
      aria-posinset={item.index + 1}
      aria-setsize={-1}
      tabIndex={-1}
      className="outline-offset-[-2px]"
    >
      <RowOf row={row} />
    </article>
  );
}

function RowOf({ row }: { readonly row: TimelineRow }) {
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
      return (
        <Quiet
          onPress={() => acts.readMore(run.id, row.where)}
          words={row.count === null ? t("later") : t("earlier", { count: row.count })}
        />
      );
    case "new":
      return <NewMark at={row.at} />;
    case "told":
      return (
        <div className={row.isInner ? "pl-4" : ""}>
          <ToldRow
            told={row.told}
            isLast={row.isLast}
            isOpen={acts.isGroupOpen(row.key)}
            onToggle={() => acts.toggleGroup(row.key)}
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
