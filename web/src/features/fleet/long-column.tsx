/** The cards of a long column, of which only those in sight are drawn. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";
import type { CardGroup } from "../attempts/cards.ts";
import { indexOfLeft } from "./came-from.ts";
import { FleetCard } from "./fleet-card.tsx";

export function LongColumn(props: {
  readonly groups: readonly CardGroup[];
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  const { groups, scroller } = props;
  const virtual = useVirtualizer({
    count: groups.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 150,
    overscan: 4,
    getItemKey: (index) => groups[index]?.key ?? index,
  });
  const first = useRef(groups.map(({ cards }) => ({ attempts: cards.map(({ attempt }) => attempt.id) })));
  useEffect(() => {
    const at = indexOfLeft(first.current);
    if (at >= 0) virtual.scrollToIndex(at, { align: "center" });
  }, [virtual]);
  return (
    <li style={{ height: virtual.getTotalSize(), position: "relative", flex: "none" }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const group = groups[index];
        return group === undefined ? null : (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className="absolute inset-x-0 pb-[7px]"
            style={{ transform: `translateY(${start}px)` }}
          >
            <FleetCard group={group} isTabStop={index === 0} />
          </div>
        );
      })}
    </li>
  );
}
