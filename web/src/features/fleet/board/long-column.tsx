/** The cards of a long column, of which only those in sight are drawn. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";
import type { CardGroup } from "../../attempts/cards.ts";
import { indexOfLeft } from "../came-from.ts";
import { FleetCard } from "../fleet-card.tsx";

export function LongColumn(props: {
  readonly groups: readonly CardGroup[];
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  const { groups, scroller } = props;
  const virtual = useVirtualizer({
    count: groups.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 150,
    overscan: 2,
    getItemKey: (index) => groups[index]?.key ?? index,
    // A card in which a person types is drawn, however far it was scrolled away.
    rangeExtractor: ({ startIndex, endIndex, overscan }) => {
      const held = groups.findIndex((group) => group.held !== undefined);
      const from = Math.max(0, Math.min(startIndex - overscan, held < 0 ? startIndex : held));
      const to = Math.min(groups.length - 1, Math.max(endIndex + overscan, held));
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    },
  });
  const first = useRef(groups.map(({ cards }) => ({ attempts: cards.map(({ attempt }) => attempt.id) })));
  useEffect(() => {
    const at = indexOfLeft(first.current);
    if (at >= 0) virtual.scrollToIndex(at, { align: "center" });
  }, [virtual]);
  const items = virtual.getVirtualItems();
  return (
    <li style={{ height: virtual.getTotalSize(), paddingTop: items[0]?.start ?? 0, flex: "none" }}>
      {items.map(({ index, key }) => {
        const group = groups[index];
        return group === undefined ? null : (
          <div key={key} ref={virtual.measureElement} data-index={index} className="pb-[7px]">
            <FleetCard group={group} isTabStop={index === 0} />
          </div>
        );
      })}
    </li>
  );
}
