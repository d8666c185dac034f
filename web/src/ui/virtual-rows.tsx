/** The body of a table of which only the rows in sight exist. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";

export function VirtualRows(props: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly height: number;
  /** A `tr` with a key. */
  readonly row: (index: number) => ReactNode;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const [inside, outside] = [body.current, props.scroller.current];
    if (inside === null || outside === null) return;
    const top = inside.getBoundingClientRect().top - outside.getBoundingClientRect().top;
    setMargin(Math.round(top + outside.scrollTop));
  });
  const virtual = useVirtualizer({
    count: props.count,
    getScrollElement: () => props.scroller.current,
    estimateSize: () => props.height,
    overscan: 16,
    scrollMargin,
  });
  const shown = virtual.getVirtualItems();
  const before = (shown[0]?.start ?? scrollMargin) - scrollMargin;
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <tbody ref={body}>
      {before > 0 && <tr style={{ height: before }} />}
      {shown.map(({ index }) => props.row(index))}
      {after > 0 && <tr style={{ height: after }} />}
    </tbody>
  );
}
